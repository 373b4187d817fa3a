package io.devicearena.spi.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaleRangesTest {
    private static final int BYTES = 200;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void ranges_afterAnyAddsAndRemoves_areThoseOfASetOfBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StaleRanges ranges = new StaleRanges();
        BitSet bytes = new BitSet();
        for (int step = 0; step < 500; step++) {
            int from = random.nextInt(BYTES);
            int to = Math.min(BYTES, from + random.nextInt(12));
            boolean adds = random.nextInt(3) > 0;
            if (adds) {
                ranges.add(from, to);
            } else {
                ranges.remove(from, to);
            }
            bytes.set(from, to, adds);
            int first = random.nextInt(BYTES);
            int end = Math.min(BYTES, first + random.nextInt(12));
            int next = bytes.nextSetBit(first);

            assertThat(ranges.meets(first, end))
                    .as("step %s: bytes %s to %s of %s", step, first, end, bytes)
                    .isEqualTo(next >= 0 && next < end);
        }
    }
}
