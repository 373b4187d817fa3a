package io.devicearena.plan.optimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.greedy.EarliestFirst;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.OverlapCheck;
import io.devicearena.plan.testing.SearchProblems;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EjectionSolverTest {
    private static final long NODES = 1_000_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void feasibleRun_returnsALowerValidPlacement(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 20; i++) {
            PlacementProblem problem = SearchProblems.crowded(100, random);
            LiveRanges component = LiveRanges.of(problem).components().getFirst();
            long[] start = LiveRanges.place(problem, EarliestFirst::place);
            long[] offsets = start.clone();
            long target = arenaBytes(component, start) - 1 - random.nextInt(60) - problem.origin();
            EjectionSolver search = new EjectionSolver(component, i % 2, start, target);
            if (search.run(new SearchParameters(target, i, 5_000), nodes -> false) == Verdict.FEASIBLE) {
                found++;
                component.copyByteOffsets(search.addresses(), offsets);
                OverlapCheck.check(problem, offsets, arenaBytes(component, start) - 1);
            }
        }
        assertThat(found).isPositive();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void manyShortRuns_endWhereOneLongRunEnds(long seed) {
        PlacementProblem problem = SearchProblems.crowded(200, new SplittableRandom(seed));
        LiveRanges component = LiveRanges.of(problem).components().getFirst();
        long[] start = LiveRanges.place(problem, EarliestFirst::place);
        long target = arenaBytes(component, start) - 20 - problem.origin();
        EjectionSolver whole = new EjectionSolver(component, 0, start, target);
        EjectionSolver pieces = new EjectionSolver(component, 0, start, target);
        assertThat(whole.run(new SearchParameters(target, 0, NODES), nodes -> false))
                .isEqualTo(Verdict.FEASIBLE);
        long[] once = start.clone();
        component.copyByteOffsets(whole.addresses(), once);
        assertThat(arenaBytes(component, once)).isLessThanOrEqualTo(problem.origin() + target);
        long[] again = start.clone();
        int runs = 0;
        while (arenaBytes(component, again) > problem.origin() + target) {
            assertThat(++runs).isLessThan((int) NODES);
            if (pieces.run(new SearchParameters(target, 0, 1), nodes -> false) == Verdict.FEASIBLE) {
                component.copyByteOffsets(pieces.addresses(), again);
                pieces.continueFrom(again);
            }
        }
        assertThat(again).isEqualTo(once);
        assertThat(runs).isGreaterThan(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void callersPlacement_isNotFeasibleAgain(long seed) {
        PlacementProblem problem = SearchProblems.crowded(200, new SplittableRandom(seed));
        LiveRanges component = LiveRanges.of(problem).components().getFirst();
        long[] start = LiveRanges.place(problem, EarliestFirst::place);
        EjectionSolver search = new EjectionSolver(component, 0, start, component.lowerBoundBytes());
        assertThat(search.run(
                        new SearchParameters(arenaBytes(component, start) - 20 - problem.origin(), 0, NODES),
                        nodes -> false))
                .isEqualTo(Verdict.FEASIBLE);
        long[] found = start.clone();
        component.copyByteOffsets(search.addresses(), found);
        EjectionSolver other = new EjectionSolver(component, 1, start, component.lowerBoundBytes());
        other.continueFrom(found);
        assertThat(other.run(
                        new SearchParameters(arenaBytes(component, found) - problem.origin(), 0, NODES),
                        nodes -> false))
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(other.nodes()).isZero();
        long[] taken = start.clone();
        component.copyByteOffsets(other.addresses(), taken);
        assertThat(taken).isEqualTo(found);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void hugeSizes_doNotOverflow(long seed) {
        PlacementProblem problem = SearchProblems.around(1L << 59);
        LiveRanges component = LiveRanges.of(problem).components().getFirst();
        long[] start = LiveRanges.place(problem, EarliestFirst::place);
        EjectionSolver search = new EjectionSolver(component, (int) seed, start, component.lowerBoundBytes());
        long[] offsets = start.clone();
        if (search.run(new SearchParameters(component.lowerBoundBytes(), 0, 2_000), nodes -> false)
                == Verdict.FEASIBLE) {
            component.copyByteOffsets(search.addresses(), offsets);
        }
        OverlapCheck.check(problem, offsets, arenaBytes(component, start));
    }

    private static long arenaBytes(LiveRanges component, long[] offsets) {
        return component.origin() + component.arenaBytes(component.unitOffsets(offsets));
    }
}
