package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArenaDeviceTest {
    private static ArenaDevice device(int index, Set<Capability> capabilities) {
        return new ArenaDevice(
                "cpu", index, "host", "", DeviceKind.HOST, 200, new ArenaLimits(1, "limit", 1, 1), capabilities);
    }

    @Test
    void capabilitiesAreCopied() {
        Set<Capability> capabilities = EnumSet.of(Capability.KERNELS);
        ArenaDevice device = device(0, capabilities);
        capabilities.clear();
        assertThat(device.capabilities()).containsExactly(Capability.KERNELS);
    }

    @Test
    void negativeIndexIsRefused() {
        assertThatThrownBy(() -> device(-1, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device index: expected 0 or more, got -1");
    }
}
