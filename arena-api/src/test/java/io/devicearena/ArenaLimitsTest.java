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
    void limits_ofOneSegment_repeatTheArenaAndItsAlignment() {
        ArenaLimits limits = new ArenaLimits(100, "limit", 64, 1);

        assertThat(limits.maxSegmentBytes()).isEqualTo(100);
        assertThat(limits.maxSegmentName()).isEqualTo("limit");
        assertThat(limits.bindingAlignmentBytes()).isEqualTo(64);
    }

    @Test
    void limits_changed_keepTheOthers() {
        ArenaLimits limits = new ArenaLimits(1 << 20, "arena", 16, 1)
                .withSegments(512, "segment")
                .withBindings(128, "binding", 256, "offset");

        assertThat(limits)
                .isEqualTo(new ArenaLimits(1 << 20, "arena", 512, "segment", 128, "binding", 256, "offset", 16));
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 100, 257, 1025})
    void segmentThatIsNoMultipleOfTheAlignments_orTooLarge_isRefused(long segment) {
        ArenaLimits limits = new ArenaLimits(1024, "arena", 16, 1).withBindings(1, "binding", 256, "offset");

        assertThatThrownBy(() -> limits.withSegments(segment, "segment"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxSegmentBytes: expected the 1024 bytes of the largest arena, or fewer in a multiple of"
                        + " 256, got " + segment);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -8, 3, 96, Long.MIN_VALUE})
    void alignmentThatIsNoPowerOfTwoIsRefused(long alignment) {
        assertThatThrownBy(() -> new ArenaLimits(1, "limit", 16, 1).withBindings(1, "binding", alignment, "offset"))
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

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -256, Long.MIN_VALUE})
    void segmentBelowOneIsRefused(long segment) {
        assertThatThrownBy(() -> new ArenaLimits(1024, "arena", 16, 1).withSegments(segment, "segment"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxSegmentBytes: expected 1 or more, got " + segment);
    }
}
