package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArenaLimitsTest {
    @Test
    void smallestAndLargestFiguresAreAccepted() {
        assertThat(new ArenaLimits(1, "limit", 1, 1).alignmentBytes()).isEqualTo(1);
        assertThat(new ArenaLimits(Long.MAX_VALUE, "limit", 1L << 62, Long.MAX_VALUE).alignmentBytes())
                .isEqualTo(1L << 62);
    }

    @Test
    void bindingAlignment_notGiven_isThatOfValues() {
        assertThat(new ArenaLimits(1, "limit", 64, 1)).isEqualTo(new ArenaLimits(1, "limit", 64, 64, 1));
        assertThat(new ArenaLimits(1, "limit", 16, 256, 1).bindingAlignmentBytes())
                .isEqualTo(256);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -8, 3, 96, Long.MIN_VALUE})
    void alignmentThatIsNoPowerOfTwoIsRefused(long alignment) {
        assertThatThrownBy(() -> new ArenaLimits(1, "limit", 16, alignment, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bindingAlignmentBytes: expected a power of two, got " + alignment);
        assertThatThrownBy(() -> new ArenaLimits(1, "limit", alignment, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("alignmentBytes: expected a power of two, got " + alignment);
    }

    @ParameterizedTest
    @CsvSource({"0,1,maxArenaBytes,0", "-5,1,maxArenaBytes,-5", "1,0,maxBindingBytes,0"})
    void limitBelowOneIsRefused(long arena, long binding, String name, long got) {
        assertThatThrownBy(() -> new ArenaLimits(arena, "limit", 1, binding))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(name + ": expected 1 or more, got " + got);
    }
}
