package io.devicearena.wgpu.internal.gpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceLostException;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.testing.TestDevices;
import org.junit.jupiter.api.Test;

/** A staging buffer whose device is lost. */
class StagingBufferTest {
    private static final long BYTES = 4096;

    @Test
    void aLossBetweenTheEndOfAMappingAndItsAddress_isSaidEachTime() {
        try (GpuDevice device = TestDevices.first();
                StagingBuffer staging = StagingBuffer.forReadback(device, BYTES, false);
                StagingBuffer later = StagingBuffer.forReadback(device, BYTES, false)) {
            staging.beginMap(BYTES);
            later.beginMap(BYTES);
            later.awaitMapped(); // the mapping of the first has ended too
            device.destroy();
            assertThatThrownBy(staging::isMapped).isInstanceOf(DeviceLostException.class);
            assertThatThrownBy(staging::address).isInstanceOf(DeviceLostException.class);
        }
    }

    /** The library destroys the buffers of a lost device before it says that the device is lost. */
    @Test
    void aMappingOfADestroyedBuffer_isALoss() {
        try (GpuDevice device = TestDevices.first();
                StagingBuffer staging = StagingBuffer.forReadback(device, BYTES, false)) {
            WgpuNative.wgpuBufferDestroy(staging.buffer().handle());
            assertThatThrownBy(() -> {
                        staging.beginMap(BYTES);
                        staging.awaitMapped();
                    })
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("destroyed");
            assertThatThrownBy(device::requireAlive).isInstanceOf(DeviceLostException.class);
        }
    }
}
