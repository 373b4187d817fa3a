package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceSelectorTest {
    private static final ArenaDevice DEVICE = new ArenaDevice(
            "gpu",
            1,
            "Radeon RX (RADV)",
            "",
            DeviceKind.DISCRETE_GPU,
            400,
            new ArenaLimits(1, "limit", 1, 1),
            Set.of());

    @Test
    void indexMatchesTheDevicesIndex() {
        assertThat(new DeviceSelector.ByIndex(1).matches(DEVICE)).isTrue();
        assertThat(new DeviceSelector.ByIndex(0).matches(DEVICE)).isFalse();
        assertThat(new DeviceSelector.ByIndex(1)).hasToString("index 1");
    }

    @Test
    void nameMatchesAnyPartInAnyCase() {
        assertThat(new DeviceSelector.ByName("radv").matches(DEVICE)).isTrue();
        assertThat(new DeviceSelector.ByName("RADEON").matches(DEVICE)).isTrue();
        assertThat(new DeviceSelector.ByName("gpu").matches(DEVICE)).isFalse();
        assertThat(new DeviceSelector.ByName("radv")).hasToString("name containing 'radv'");
    }

    @Test
    void invalidSelectorsAreRefused() {
        assertThatThrownBy(() -> new DeviceSelector.ByIndex(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device index: expected 0 or more, got -1");
        assertThatThrownBy(() -> new DeviceSelector.ByName(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device name: expected a part of a name, got ''");
    }
}
