package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.strategy.OverlapCheck;
import io.devicearena.plan.strategy.PlacementProblem;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimalSearchTest {
    private static final int PROBLEMS_PER_SEED = 60;
    /** Longer than any search here takes; it only ends one that hangs. */
    private static final OptimalSearch SEARCH = OptimalSearch.within(Duration.ofMinutes(1));

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void heightsAreTheLeastOfAll(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            SearchResult result = SEARCH.search(problem);
            OverlapCheck.check(problem, result.offsets(), result.height());
            assertThat(result.height())
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(ExhaustiveOptimum.height(problem));
            assertThat(result.isProvedOptimal()).isTrue();
            assertThat(result.end()).isIn(SearchEnd.BOUND_MET, SearchEnd.PROVED_OPTIMAL);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatIsOneByteTooLargeIsProvedNotToFit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            long least = ExhaustiveOptimum.height(problem);
            SearchResult fits = SEARCH.untilItFits(least).search(problem);
            OverlapCheck.check(problem, fits.offsets(), least);
            assertThat(fits.end()).isEqualTo(SearchEnd.CAPACITY_MET);
            assertThat(fits.missingBytes()).isZero();
            if (least > 0) {
                SearchResult fails = SEARCH.untilItFits(least - 1).search(problem);
                assertThat(fails.end()).isEqualTo(SearchEnd.PROVED_NOT_TO_FIT);
                assertThat(fails.missingBytes()).isPositive();
                assertThat(fails.lowerBound()).isLessThanOrEqualTo(least);
                OverlapCheck.check(problem, fails.offsets(), fails.height());
            }
        }
    }

    /** Up to 7 buffers that crowd a few steps, so that greedy plans are seldom optimal. */
    private static PlacementProblem tiny(SplittableRandom random) {
        int count = random.nextInt(8);
        long alignment = random.nextInt(3) == 0 ? 1L << random.nextInt(5) : 1;
        int largest = 1 + random.nextInt(30);
        long boundary = random.nextInt(4) == 0 ? (largest + random.nextInt(30)) / alignment * alignment + alignment : 0;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(largest);
            lowers[i] = random.nextInt(6);
            uppers[i] = lowers[i] + random.nextInt(5);
        }
        return new PlacementProblem(sizes, lowers, uppers, alignment, boundary, random.nextInt(3) * alignment);
    }

    @Test
    void aBudgetOfNoTimeIsRefused() {
        assertThatThrownBy(() -> OptimalSearch.within(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("budget: expected more than no time, got PT0S");
    }
}
