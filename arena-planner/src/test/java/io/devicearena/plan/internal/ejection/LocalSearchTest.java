package io.devicearena.plan.internal.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.testing.ConflictOracle;
import io.devicearena.plan.testing.SmallProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSearchTest {
    private static final int DESCENTS = 3;
    private static final int PROBLEMS_PER_SEED = 10;
    private static final long MANY = 1L << 40;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void advance_improved_isLowerAndValidAndNotBelowTheLowerBound(long seed) {
        for (LiveRanges ranges : problems(seed)) {
            LocalSearch search = search(ranges, ranges.lowerBoundBytes());
            long before = search.arenaBytes();
            while (search.advance(MANY)) {
                assertThat(search.arenaBytes()).isLessThanOrEqualTo(before);
                assertValid(ranges, search);
                before = search.arenaBytes();
            }
            assertThat(search.arenaBytes()).isGreaterThanOrEqualTo(ranges.lowerBoundBytes());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void advance_sliceOfAnySize_takesTheSameCourse(long seed) {
        for (LiveRanges ranges : problems(seed)) {
            assertThat(course(ranges, 1)).isEqualTo(course(ranges, MANY));
        }
    }

    /** All placements on the way, in slices of so many steps. */
    private static List<List<Long>> course(LiveRanges ranges, long steps) {
        LocalSearch search = search(ranges, ranges.lowerBoundBytes());
        List<List<Long>> placements = new ArrayList<>();
        long before = search.arenaBytes();
        while (search.advance(steps)) {
            if (search.arenaBytes() < before) {
                before = search.arenaBytes();
                placements.add(Arrays.stream(search.offsets()).boxed().toList());
            }
        }
        return placements;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void continueFrom_lowerPlacement_goesOnFromThere(long seed) {
        for (LiveRanges ranges : problems(seed)) {
            LocalSearch first = search(ranges, ranges.lowerBoundBytes());
            while (first.advance(MANY)) {
                assertThat(first.arenaBytes()).isNotNegative();
            }
            LocalSearch second = search(ranges, ranges.lowerBoundBytes());
            second.advance(1);
            second.continueFrom(first.offsets());
            assertThat(second.arenaBytes()).isEqualTo(first.arenaBytes());
            while (second.advance(MANY)) {
                assertThat(second.arenaBytes()).isLessThanOrEqualTo(first.arenaBytes());
                assertValid(ranges, second);
            }
        }
    }

    private static LocalSearch search(LiveRanges ranges, long floor) {
        return new LocalSearch(
                ranges, ConflictOracle.stacked(ranges), floor, DESCENTS, 0, new StepBudget(Long.MAX_VALUE));
    }

    private static List<LiveRanges> problems(long seed) {
        List<LiveRanges> problems = new ArrayList<>();
        for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
            LiveRanges ranges = LiveRanges.of(SmallProblems.small(i));
            if (ranges.count() > 0) {
                problems.add(ranges);
            }
        }
        return problems;
    }

    private static void assertValid(LiveRanges ranges, LocalSearch search) {
        assertThat(search.arenaBytes()).isEqualTo(ranges.arenaBytes(search.offsets()));
        ConflictOracle.assertValid(ranges, search.offsets());
    }
}
