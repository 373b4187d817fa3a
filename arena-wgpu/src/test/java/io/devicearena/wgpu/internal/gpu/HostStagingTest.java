package io.devicearena.wgpu.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.DeviceKind;
import io.devicearena.wgpu.testing.TestDevices;
import org.junit.jupiter.api.Test;

class HostStagingTest {
    @Test
    void reachesDevice_adapterThatMapsPrimaryBuffers_getsWhatTheHostWritesToAMappingForReading() {
        try (GpuDevice device = TestDevices.first()) {
            assumeTrue(device.limits().hasResultBuffers(), "the adapter maps no primary buffers");

            assertThat(new HostStaging(device).reachesDevice()).isTrue();
        }
    }

    @Test
    void isUsed_adapterWithoutMemoryOfItsOwn_isFalse() {
        try (GpuDevice device = TestDevices.first()) {
            assumeTrue(device.adapter().kind() != DeviceKind.DISCRETE_GPU, "the adapter has memory of its own");

            assertThat(device.hostStaging.isUsed()).isFalse();
        }
    }
}
