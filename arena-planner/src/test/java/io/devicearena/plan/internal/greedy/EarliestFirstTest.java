package io.devicearena.plan.internal.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.LargeProblems;
import io.devicearena.plan.testing.SmallProblems;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarliestFirstTest {
    private static final int PROBLEMS_PER_SEED = 300;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void place_smallProblem_isBestFitByDefinition(long seed) {
        LongStream.range(seed * PROBLEMS_PER_SEED, (seed + 1) * PROBLEMS_PER_SEED)
                .mapToObj(SmallProblems::small)
                .forEach(EarliestFirstTest::assertBestFit);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void place_largeProblem_isBestFitByDefinition(long seed) {
        for (PlacementProblem problem : List.of(
                LargeProblems.shortLived(1_000, seed),
                LargeProblems.training(1_000, seed),
                LargeProblems.anyLength(1_000, seed))) {
            assertBestFit(problem);
        }
    }

    private static void assertBestFit(PlacementProblem problem) {
        assertThat(LiveRanges.place(problem, EarliestFirst::place))
                .as("%s", problem)
                .isEqualTo(LiveRanges.place(problem, EarliestFirstTest::naiveBestFit));
    }

    /**
     * The definition: of all gaps between the live buffers that overlap one, the narrowest that it fits, the lowest of
     * those.
     */
    private static long[] naiveBestFit(LiveRanges ranges) {
        long[] offsets = new long[ranges.count()];
        int[] order = ranges.byFirst();
        for (int k = 0; k < order.length; k++) {
            int buffer = order[k];
            int[] overlapping = Arrays.stream(order, 0, k)
                    .filter(other ->
                            ranges.first(other) < ranges.end(buffer) && ranges.first(buffer) < ranges.end(other))
                    .boxed()
                    .sorted(Comparator.comparingLong(other -> offsets[other]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            offsets[buffer] = narrowestGap(ranges, offsets, overlapping, ranges.size(buffer));
        }
        return offsets;
    }

    private static long narrowestGap(LiveRanges ranges, long[] offsets, int[] overlapping, long size) {
        long narrowest = Long.MAX_VALUE;
        long free = 0;
        long best = -1;
        for (int other : overlapping) {
            long width = offsets[other] - free;
            long offset = ranges.skipBoundary(free, size);
            if (offsets[other] - offset >= size && width < narrowest) {
                narrowest = width;
                best = offset;
            }
            free = Math.max(free, offsets[other] + ranges.size(other));
        }
        return best >= 0 ? best : ranges.skipBoundary(free, size);
    }
}
