package io.devicearena.plan.internal.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.LargeProblems;
import io.devicearena.plan.testing.SmallProblems;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstFitTest {
    private static final int PROBLEMS_PER_SEED = 500;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void place_smallProblem_isFirstFitByDefinition(long seed) {
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = SmallProblems.small(seed * PROBLEMS_PER_SEED + i);
            assertFirstFit(problem, LiveRanges::byFirst);
            assertFirstFit(problem, LiveRanges::highestLoadFirst);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void place_manyLevelsOfBuckets_isFirstFitByDefinition(long seed) {
        assertFirstFit(SmallProblems.crowded(seed, 1_500), LiveRanges::byFirst);
    }

    private static void assertFirstFit(PlacementProblem problem, Function<LiveRanges, int[]> order) {
        LiveRanges ranges = LiveRanges.of(problem);
        int[] buffers = Arrays.stream(order.apply(ranges)).map(ranges::buffer).toArray();
        long[] offsets = LiveRanges.place(
                problem,
                all -> FirstFit.place(all, order.apply(all), Long.MAX_VALUE, new StepBudget(Long.MAX_VALUE))
                        .orElseThrow());
        assertThat(offsets).as("%s", problem).isEqualTo(NaiveFirstFit.place(problem, buffers));
    }

    @Test
    void place_limitBelowItsHeightOrBudgetTooSmall_isEmpty() {
        LiveRanges ranges = LiveRanges.of(LargeProblems.shortLived(500, 1));
        int[] order = ranges.highestLoadFirst();
        long[] offsets = FirstFit.place(ranges, order, Long.MAX_VALUE, new StepBudget(Long.MAX_VALUE))
                .orElseThrow();
        long height = ranges.arenaBytes(offsets);
        assertThat(FirstFit.place(ranges, order, height, new StepBudget(Long.MAX_VALUE)))
                .hasValue(offsets);
        assertThat(FirstFit.place(ranges, order, height - 1, new StepBudget(Long.MAX_VALUE)))
                .isEmpty();
        assertThat(FirstFit.place(ranges, order, height, new StepBudget(100))).isEmpty();
    }
}
