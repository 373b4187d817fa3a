package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DeviceKind;
import io.devicearena.spi.ArenaOverhead;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArenaFitTest {
    private static final long LIMIT = 1000;

    private static ArenaFit fit(DeviceKind kind, long plan, OptionalLong total, OptionalLong free) {
        ArenaDevice device = new ArenaDevice(
                "gpu", 0, "gpu", "for a test", kind, 1, new ArenaLimits(LIMIT, "limit", 1, LIMIT), Set.of());
        return new ArenaFit(device, plan, 10, new ArenaOverhead(20, 40), total, free);
    }

    private static ArenaFit withFree(long plan, long free) {
        return fit(DeviceKind.DISCRETE_GPU, plan, OptionalLong.empty(), OptionalLong.of(free));
    }

    private static ArenaFit withTotal(long plan, OptionalLong total) {
        return fit(DeviceKind.DISCRETE_GPU, plan, total, OptionalLong.empty());
    }

    @Test
    void stagingIsMemoryOfADeviceWithoutMemoryOfItsOwn() {
        for (DeviceKind kind : DeviceKind.values()) {
            boolean own = kind == DeviceKind.DISCRETE_GPU || kind == DeviceKind.ACCELERATOR;
            assertThat(fit(kind, 100, OptionalLong.empty(), OptionalLong.empty())
                            .neededBytes())
                    .as(kind.name())
                    .isEqualTo(own ? 130 : 170);
        }
    }

    @Test
    void freeMemory_decidesByHowMuch() {
        assertThat(withFree(100, 130).spareBytes()).hasValue(0);
        assertThat(withFree(100, 130).isKnownToFit()).isTrue();
        assertThat(withFree(100, 129).spareBytes()).hasValue(-1);
        assertThat(withFree(100, 129).isKnownToFit()).isFalse();
    }

    @Test
    void largestArena_decidesToo() {
        assertThat(withFree(990, 5000).spareBytes()).hasValue(0);
        assertThat(withFree(991, 5000).spareBytes()).hasValue(-1);
        assertThat(withTotal(991, OptionalLong.empty()).spareBytes()).hasValue(-1);
    }

    @Test
    void unknownFreeMemory_isUnknownUnlessTheDeviceIsTooSmall() {
        assertThat(withTotal(100, OptionalLong.empty()).spareBytes()).isEmpty();
        assertThat(withTotal(100, OptionalLong.empty()).isKnownToFit()).isFalse();
        assertThat(withTotal(100, OptionalLong.of(130)).spareBytes()).isEmpty();
        assertThat(withTotal(100, OptionalLong.of(129)).spareBytes()).hasValue(-1);
    }

    @Test
    void sumsDoNotOverflow() {
        assertThat(withFree(Long.MAX_VALUE, 5000).neededBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(withFree(Long.MAX_VALUE, 5000).spareBytes()).hasValue(LIMIT - Long.MAX_VALUE);
    }

    @Test
    void negativeOverhead_isRefused() {
        assertThatThrownBy(() -> new ArenaOverhead(-1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("overhead: expected 0 or more bytes, got shadow -1 and staging 2");
    }
}
