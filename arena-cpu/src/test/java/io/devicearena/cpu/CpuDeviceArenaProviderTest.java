package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.ArenaFit;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import io.devicearena.spi.SpiVersion;
import io.devicearena.spi.memory.SystemMemory;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The build runs these tests on the module path and on the class path. */
class CpuDeviceArenaProviderTest {
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
    void isChosenByName() {
        try (DeviceArena arena = DeviceArenas.open(
                TestArenas.threeSlots(), ArenaOptions.defaults().withProvider("cpu"))) {
            assertThat(arena.device().provider()).isEqualTo("cpu");
            assertThat(arena.sizeBytes()).isEqualTo(96);
        }
    }

    @Test
    void listsTheHostsMemory() {
        CpuDeviceArenaProvider provider = new CpuDeviceArenaProvider();
        assertThat(provider.name()).isEqualTo("cpu");
        assertThat(provider.spiVersion()).isEqualTo(SpiVersion.CURRENT);
        ArenaDevice device = DeviceArenas.choose(ArenaOptions.defaults().withProvider("cpu"));
        assertThat(device).isEqualTo(TestArenas.device());
        assertThat(device.kind()).isEqualTo(DeviceKind.HOST);
        assertThat(device.priority()).isEqualTo(200);
        assertThat(device.capabilities()).containsExactly(Capability.HOST_MEMORY);
        assertThat(device.limits().alignmentBytes()).isEqualTo(64);
        assertThat(device.limits().bindingAlignmentBytes()).isEqualTo(64);
        assertThat(device.limits().maxBindingBytes()).isEqualTo(Long.MAX_VALUE);
        SystemMemory.limitBytes()
                .ifPresent(bytes -> assertThat(device.limits().maxArenaBytes()).isLessThanOrEqualTo(bytes));
    }

    @Test
    void largestArena_isTheMemoryOfTheMachineOrOfTheContainer() {
        ArenaLimits machine = CpuDeviceArenaProvider.limits(1000, OptionalLong.empty());
        assertThat(machine.maxArenaBytes()).isEqualTo(1000);
        assertThat(machine.maxArenaName()).isEqualTo("physical memory");
        assertThat(CpuDeviceArenaProvider.limits(1000, OptionalLong.of(1001))).isEqualTo(machine);
        for (long limit : new long[] {1, 300, 1000}) {
            ArenaLimits container = CpuDeviceArenaProvider.limits(1000, OptionalLong.of(limit));
            assertThat(container.maxArenaBytes()).isEqualTo(limit);
            assertThat(container.maxArenaName()).isEqualTo("memory limit of the container");
        }
        assertThat(CpuDeviceArenaProvider.limits(0, OptionalLong.of(0)).maxArenaBytes())
                .isEqualTo(1);
    }

    @Test
    void freeMemoryIsThatOfTheHost_andTheProcessorHasNoIdentity() {
        ArenaDevice device = DeviceArenas.choose(ArenaOptions.defaults().withProvider("cpu"));
        assertThat(DeviceArenas.identity(device)).isEmpty();
        assertThat(DeviceArenas.sameHardware(device)).isEmpty();
        DeviceArenas.freeBytes(device).ifPresent(bytes -> assertThat(bytes).isPositive());
        ArenaFit fit = DeviceArenas.fit(
                TestArenas.withoutSlots(100), ArenaOptions.defaults().withScratchBytes(16), device);
        assertThat(fit.totalBytes()).hasValue(device.limits().maxArenaBytes());
        assertThat(fit.neededBytes()).isEqualTo(116);
    }

    @Test
    void deviceOfAnotherProviderIsRefused() {
        ArenaDevice other = new ArenaDevice(
                "other",
                0,
                "small host",
                "for a test",
                DeviceKind.HOST,
                0,
                new ArenaLimits(1000, "physical memory", 64, Long.MAX_VALUE),
                Set.of());
        assertThatThrownBy(() ->
                        new CpuDeviceArenaProvider().open(other, TestArenas.withoutSlots(1), ArenaOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device: expected one of provider 'cpu', got 'small host' of provider 'other'; pass what"
                        + " probe() lists");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void open_nullArgument_isNamed() {
        CpuDeviceArenaProvider provider = new CpuDeviceArenaProvider();
        ArenaDevice device = TestArenas.device();
        MemoryPlan plan = TestArenas.withoutSlots(1);
        ArenaOptions options = ArenaOptions.defaults();
        assertThatThrownBy(() -> provider.open(null, plan, options))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("device");
        assertThatThrownBy(() -> provider.open(device, null, options))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("plan");
        assertThatThrownBy(() -> provider.open(device, plan, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
    }
}
