package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import io.devicearena.spi.SpiVersion;
import org.junit.jupiter.api.Test;

/** The build runs this on the module path and on the class path. */
class CpuProviderDiscoveryTest {
    @Test
    void serviceLoaderFindsTheProviderOnce() {
        assertThat(DeviceArenas.providers())
                .filteredOn(report -> report.name().equals("cpu"))
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.implementation()).isEqualTo("io.devicearena.cpu.CpuDeviceArenaProvider");
                    assertThat(report.availability()).isInstanceOf(Availability.Ready.class);
                });
    }

    @Test
    void itIsChosenByName() {
        try (DeviceArena arena = DeviceArenas.open(
                TestArenas.threeSlots(), ArenaOptions.defaults().withProvider("cpu"))) {
            assertThat(arena.device().provider()).isEqualTo("cpu");
            assertThat(arena.sizeBytes()).isEqualTo(96);
        }
    }

    @Test
    void itListsTheHostsMemory() {
        CpuDeviceArenaProvider provider = new CpuDeviceArenaProvider();
        assertThat(provider.name()).isEqualTo("cpu");
        assertThat(provider.spiVersion()).isEqualTo(SpiVersion.CURRENT);
        ArenaDevice device = DeviceArenas.choose(ArenaOptions.defaults().withProvider("cpu"));
        assertThat(device).isEqualTo(TestArenas.device());
        assertThat(device.kind()).isEqualTo(DeviceKind.HOST);
        assertThat(device.priority()).isEqualTo(200);
        assertThat(device.capabilities()).containsExactly(Capability.HOST_MEMORY);
        assertThat(device.limits().alignmentBytes()).isEqualTo(64);
        assertThat(device.limits().maxBindingBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(device.limits().maxArenaBytes()).isEqualTo(HostMemory.totalBytes());
    }
}
