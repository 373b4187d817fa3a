package io.devicearena.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SeededBytesTest {
    private static byte[] bytes(long seed, long value, long from, int length) {
        byte[] bytes = new byte[length];
        new SeededBytes(seed, value).fill(MemorySegment.ofArray(bytes), from);
        return bytes;
    }

    @Test
    void anyRangeEqualsThatRangeOfTheWhole() {
        MemorySegment whole = MemorySegment.ofArray(bytes(1, 2, 0, 64));
        for (int from = 0; from < 64; from++) {
            for (int to = from; to <= 64; to++) {
                assertThat(bytes(1, 2, from, to - from))
                        .isEqualTo(whole.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    @Test
    void seedsAndValuesDiffer() {
        assertThat(bytes(1, 2, 0, 16)).isNotEqualTo(bytes(2, 2, 0, 16)).isNotEqualTo(bytes(1, 3, 0, 16));
    }
}
