package io.devicearena.plan.optimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.placement.OverlapCheck;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
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
            PlacementProblem problem = Problems.crowded(100, random);
            Component component = Component.of(problem).getFirst();
            long[] start = PlacementStrategies.named("earliest-first").place(problem);
            EjectionSolver search = new EjectionSolver(component, i % 2, start, Components.lowerBound(component));
            long[] offsets = start.clone();
            long target = component.arenaBytes(component.addresses(start)) - 1 - random.nextInt(60) - problem.origin();
            if (search.run(new SearchParameters(target, i, 5_000), nodes -> false) == Verdict.FEASIBLE) {
                found++;
                component.copyOffsets(search.addresses(), offsets);
                OverlapCheck.check(problem, offsets, component.arenaBytes(component.addresses(start)) - 1);
            }
        }
        assertThat(found).isPositive();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void manyShortRuns_endWhereOneLongRunEnds(long seed) {
        PlacementProblem problem = Problems.crowded(200, new SplittableRandom(seed));
        Component component = Component.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        long target = component.arenaBytes(component.addresses(start)) - 20 - problem.origin();
        EjectionSolver whole = new EjectionSolver(component, 0, start, Components.lowerBound(component));
        EjectionSolver pieces = new EjectionSolver(component, 0, start, Components.lowerBound(component));
        assertThat(whole.run(new SearchParameters(target, 0, NODES), nodes -> false))
                .isEqualTo(Verdict.FEASIBLE);
        long[] once = start.clone();
        component.copyOffsets(whole.addresses(), once);
        assertThat(component.arenaBytes(component.addresses(once))).isLessThanOrEqualTo(problem.origin() + target);
        long[] again = start.clone();
        int runs = 0;
        while (component.arenaBytes(component.addresses(again)) > problem.origin() + target) {
            assertThat(++runs).isLessThan((int) NODES);
            if (pieces.run(new SearchParameters(target, 0, 1), nodes -> false) == Verdict.FEASIBLE) {
                component.copyOffsets(pieces.addresses(), again);
                pieces.turnTo(again);
            }
        }
        assertThat(again).isEqualTo(once);
        assertThat(runs).isGreaterThan(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void callersPlacement_isNotFeasibleAgain(long seed) {
        PlacementProblem problem = Problems.crowded(200, new SplittableRandom(seed));
        Component component = Component.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        EjectionSolver search = new EjectionSolver(component, 0, start, Components.lowerBound(component));
        assertThat(search.run(
                        new SearchParameters(
                                component.arenaBytes(component.addresses(start)) - 20 - problem.origin(), 0, NODES),
                        nodes -> false))
                .isEqualTo(Verdict.FEASIBLE);
        long[] found = start.clone();
        component.copyOffsets(search.addresses(), found);
        EjectionSolver other = new EjectionSolver(component, 1, start, Components.lowerBound(component));
        other.turnTo(found);
        assertThat(other.run(
                        new SearchParameters(
                                component.arenaBytes(component.addresses(found)) - problem.origin(), 0, NODES),
                        nodes -> false))
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(other.nodes()).isZero();
        long[] taken = start.clone();
        component.copyOffsets(other.addresses(), taken);
        assertThat(taken).isEqualTo(found);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void hugeSizes_doNotOverflow(long seed) {
        PlacementProblem problem = Problems.around(1L << 59);
        Component component = Component.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        EjectionSolver search = new EjectionSolver(component, (int) seed, start, Components.lowerBound(component));
        long[] offsets = start.clone();
        if (search.run(new SearchParameters(Components.lowerBound(component), 0, 2_000), nodes -> false)
                == Verdict.FEASIBLE) {
            component.copyOffsets(search.addresses(), offsets);
        }
        OverlapCheck.check(problem, offsets, component.arenaBytes(component.addresses(start)));
    }
}
