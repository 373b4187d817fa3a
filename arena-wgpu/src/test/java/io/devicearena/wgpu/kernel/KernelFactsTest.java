package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.wgpu.WgpuDevices;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a device offers is known by component and by name, before an arena is open. */
class KernelFactsTest {
    private static final KernelFacts BEFORE = WgpuDevices.facts(TestArenas.device());

    @Test
    void facts_beforeAndAfterOpen_differOnlyInThePeriodOfTimestamps() {
        assertThat(BEFORE.timestampPeriodNanos()).isEmpty();
        try (DeviceArena arena = KernelArenas.open()) {
            KernelFacts open = kernels(arena).facts();
            assertThat(open.timestampPeriodNanos().isPresent()).isEqualTo(open.hasTimestamps());
            assertThat(open.timestampPeriodNanos().orElse(1)).isPositive();
            Map<String, Object> values = new LinkedHashMap<>(open.values());
            values.remove("timestampPeriodNanos");
            assertThat(values).isEqualTo(BEFORE.values());
        }
    }

    @Test
    void values_nameEveryComponent() throws ReflectiveOperationException {
        try (DeviceArena arena = KernelArenas.open()) {
            KernelFacts facts = kernels(arena).facts();
            Map<String, Object> byComponent = new LinkedHashMap<>();
            for (RecordComponent component : KernelFacts.class.getRecordComponents()) {
                switch (component.getAccessor().invoke(facts)) {
                    case Integer number -> byComponent.put(component.getName(), number.longValue());
                    case OptionalDouble number ->
                        number.ifPresent(known -> byComponent.put(component.getName(), known));
                    case Object value -> byComponent.put(component.getName(), value);
                }
            }
            assertThat(facts.values()).containsExactlyEntriesOf(byComponent);
        }
    }

    @Test
    void limits_areThoseOfWebGpuOrMore() {
        ArenaLimits limits = TestArenas.device().limits();
        assertThat(BEFORE.deviceName()).isEqualTo(TestArenas.device().name());
        assertThat(BEFORE.backend()).isIn("vulkan", "metal", "dx12", "gl");
        assertThat(BEFORE.maxBindingBytes()).isEqualTo(limits.maxBindingBytes());
        assertThat(BEFORE.maxBufferBytes()).isGreaterThanOrEqualTo(limits.maxSegmentBytes());
        assertThat(BEFORE.bindingAlignmentBytes()).isLessThanOrEqualTo(limits.bindingAlignmentBytes());
        assertThat(256 % BEFORE.uniformAlignmentBytes()).isZero();
        assertThat(BEFORE.maxUniformBytes()).isGreaterThanOrEqualTo(64 << 10);
        assertThat(BEFORE.maxWorkgroups()).isGreaterThanOrEqualTo(65_535);
        assertThat(BEFORE.maxWorkgroupSizeX()).isGreaterThanOrEqualTo(256);
        assertThat(BEFORE.maxWorkgroupSizeY()).isGreaterThanOrEqualTo(256);
        assertThat(BEFORE.maxWorkgroupSizeZ()).isGreaterThanOrEqualTo(64);
        assertThat(BEFORE.maxWorkgroupInvocations()).isGreaterThanOrEqualTo(256);
        assertThat(BEFORE.maxWorkgroupMemoryBytes()).isGreaterThanOrEqualTo(16 << 10);
        assertThat(BEFORE.maxStorageBindings()).isGreaterThanOrEqualTo(8);
        assertThat(BEFORE.maxUniformBindings()).isGreaterThanOrEqualTo(12);
        assertThat(BEFORE.maxBindGroups()).isGreaterThanOrEqualTo(4);
        assertThat(BEFORE.maxBindingsPerGroup()).isGreaterThanOrEqualTo(8);
    }

    @Test
    void subgroups_haveSizesOrNone() {
        assertThat(BEFORE.minSubgroupSize()).isBetween(0, BEFORE.maxSubgroupSize());
        assertThat(Integer.bitCount(BEFORE.minSubgroupSize())).isLessThanOrEqualTo(1);
        assertThat(Integer.bitCount(BEFORE.maxSubgroupSize())).isLessThanOrEqualTo(1);
        if (!BEFORE.hasSubgroups()) {
            assertThat(List.of(BEFORE.minSubgroupSize(), BEFORE.maxSubgroupSize()))
                    .containsOnly(0);
        }
    }

    @Test
    void value_byName_orNone() {
        assertThat(BEFORE.value("maxWorkgroupMemoryBytes")).contains((long) BEFORE.maxWorkgroupMemoryBytes());
        assertThat(BEFORE.value("hasShaderF16")).contains(BEFORE.hasShaderF16());
        assertThat(BEFORE.value("maxWarps")).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> BEFORE.values().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void facts_ofTheDiscoveryAreTheSame() {
        assertThat(DeviceArenas.facts(TestArenas.device())).isEqualTo(BEFORE.values());
    }

    @Test
    void facts_deviceOfAnotherProvider_isRefused() {
        ArenaDevice device = new ArenaDevice(
                "cpu", 0, "host memory", "", DeviceKind.HOST, 0, new ArenaLimits(64, "memory", 16, 64), Set.of());
        assertThatThrownBy(() -> WgpuDevices.facts(device))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device: expected one of provider 'wgpu', got 'host memory' of provider 'cpu'; pass a"
                        + " device that probe() lists");
    }
}
