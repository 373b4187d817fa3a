package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.testing.OverlapCheck;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InDepthTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void whatItFindsIsNoHigherThanAskedForAndNothingOverlaps(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 50; i++) {
            PlacementProblem problem = Problems.small(50 * seed + i);
            if (problem.occupying().length > 0) {
                Lives lives = new Lives(problem);
                long bytes = lives.leastBytes() + random.nextLong(1 + lives.leastBytes() / 4);
                Optional<long[]> placed = new InDepth(lives).place(bytes);
                placed.ifPresent(addresses -> check(problem, addresses, bytes));
                found += placed.isPresent() ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    private static void check(PlacementProblem problem, long[] addresses, long bytes) {
        long[] offsets = Lives.place(problem, lives -> addresses);
        OverlapCheck.check(problem, offsets, PlacementStrategiesTest.arena(problem, offsets));
        assertThat(new Lives(problem).bytes(addresses)).isLessThanOrEqualTo(bytes);
    }

    /** Two of 9 bytes and one of 8 take 40 in units of 8, or 33 where one of 9 lies highest. */
    @Test
    void whatSpansASectionMayNotEndAboveWhatIsAskedFor() {
        PlacementProblem problem = Shapes.together(new long[] {9, 9, 8}, 8, 0, 0);
        Lives lives = new Lives(problem);
        assertThat(lives.leastBytes()).isEqualTo(33);
        assertThat(new InDepth(lives).place(40)).isPresent();
        assertThat(new InDepth(lives).place(32)).isEmpty();
        new InDepth(lives).place(33).ifPresent(addresses -> check(problem, addresses, 33));
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {1_000, 1_001})
    void onlyFewThatHangTogetherAreQuick(int count) {
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        long[] sizes = new long[count];
        Arrays.fill(sizes, 1);
        Arrays.setAll(lowers, i -> i);
        Arrays.setAll(uppers, i -> i + 2);
        assertThat(new InDepth(new Lives(new PlacementProblem(sizes, lowers, uppers, 1, 0))).isQuick())
                .isEqualTo(count <= 1_000);
    }

    /** Tens of thousands of levels, each of which has two lives fewer: to look at all of them at each level would take minutes. */
    @Test
    @Timeout(60)
    void whatNestsLevelByLevelEndsSoon() {
        assertThat(new InDepth(new Lives(Shapes.training(400_000, 1))).isQuick())
                .isFalse();
    }

    @Test
    void manyThatNestAreStackedWithoutASearch() {
        int count = 100_000;
        long[] sizes = new SplittableRandom(1).longs(count, 1, 100).toArray();
        PlacementProblem problem = Shapes.together(sizes, 1, 0, 0);
        InDepth search = new InDepth(new Lives(problem));
        assertThat(search.isQuick()).isTrue();
        long bytes = Arrays.stream(sizes).sum();
        check(problem, search.place(bytes).orElseThrow(), bytes);
        assertThat(search.place(bytes - 1)).isEmpty();
    }
}
