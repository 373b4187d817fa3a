package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compared with an array. */
class LevelsTest {
    @ParameterizedTest(name = "{0} moments")
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 64, 100})
    void highestIsThatOfAllInTheRangeWithAllThatTheyHaveRisen(int moments) {
        SplittableRandom random = new SplittableRandom(moments);
        long[] naive = random.longs(moments, 0, 1_000).toArray();
        Levels levels = new Levels(naive);
        for (int i = 0; i < 2_000; i++) {
            int from = random.nextInt(moments);
            int end = random.nextInt(from, moments) + 1;
            assertThat(levels.highest(from, end))
                    .isEqualTo(Arrays.stream(naive, from, end).max().orElseThrow());
            from = random.nextInt(moments);
            end = random.nextInt(from, moments) + 1;
            long by = random.nextLong(100);
            levels.raise(from, end, by);
            for (int m = from; m < end; m++) {
                naive[m] += by;
            }
        }
    }
}
