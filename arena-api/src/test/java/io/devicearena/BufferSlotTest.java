package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BufferSlotTest {
    private static void assertRefused(long offset, long size, String message) {
        assertThatThrownBy(() -> new BufferSlot(offset, size))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void endIsPastTheLastByte() {
        assertThat(new BufferSlot(16, 8).end()).isEqualTo(24);
        assertThat(new BufferSlot(Long.MAX_VALUE, 0).end()).isEqualTo(Long.MAX_VALUE);
        assertThat(new BufferSlot(1, Long.MAX_VALUE - 1).end()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void negativeOffsetAndSizeAreRefused() {
        assertRefused(-1, 0, "slot offset: expected 0 or more bytes, got -1");
        assertRefused(0, -1, "slot size: expected 0 or more bytes, got -1");
    }

    @Test
    void endPastALongIsRefused() {
        assertRefused(
                2,
                Long.MAX_VALUE - 1,
                "slot end: expected at most 9223372036854775807 bytes, got offset 2 + size 9223372036854775806");
    }
}
