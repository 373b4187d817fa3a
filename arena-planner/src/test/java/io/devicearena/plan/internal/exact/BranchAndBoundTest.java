package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.LargeProblems;
import io.devicearena.plan.testing.SearchProblems;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchAndBoundTest {
    private static final int NODES = 2_000;

    @Test
    void run_belowTheSmallestCapacity_isInfeasible() {
        LiveRanges component = SearchProblems.firstComponent(LargeProblems.aboveItsBound());
        BranchAndBound solver = new BranchAndBound(component);
        for (int restart = 0; restart < 20; restart++) {
            assertThat(solver.run(
                            new SearchParameters(LargeProblems.NEEDED_ABOVE_BOUND - 1, restart, 1_000_000), n -> false))
                    .isEqualTo(Verdict.INFEASIBLE);
            assertThat(solver.run(
                            new SearchParameters(LargeProblems.NEEDED_ABOVE_BOUND, restart, 1_000_000), n -> false))
                    .isEqualTo(Verdict.FEASIBLE);
        }
    }

    @Test
    void run_beyondItsNodeLimit_isUnknown() {
        LiveRanges component = SearchProblems.firstComponent(LargeProblems.aboveItsBound());
        BranchAndBound solver = new BranchAndBound(component);
        long capacity = LargeProblems.NEEDED_ABOVE_BOUND - 1;
        assertThat(solver.run(new SearchParameters(capacity, 0, 3), n -> false)).isEqualTo(Verdict.UNKNOWN);
        assertThat(solver.nodes()).isEqualTo(4);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void verdicts_ofDifferentRestarts_neverContradict(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int decided = 0;
        for (int i = 0; i < 100; i++) {
            for (LiveRanges component : LiveRanges.of(mostlyShort(random)).components()) {
                decided += decided(component);
            }
        }
        assertThat(decided).isGreaterThan(100);
    }

    /**
     * The capacity is no multiple of the alignment, so only two of the buffers may lie highest, one of them at each
     * clique.
     */
    @Test
    void everyRestart_withAPartialLastUnit_findsThePlacement() {
        PlacementProblem problem = new PlacementProblem(
                new long[] {29, 8, 1, 14, 15, 3, 19},
                new long[] {0, 4, 5, 4, 0, 0, 5},
                new long[] {2, 9, 7, 6, 2, 6, 9},
                4,
                0);
        LiveRanges component = SearchProblems.firstComponent(problem);
        for (int restart = 0; restart < 40; restart++) {
            BranchAndBound search = new BranchAndBound(component);
            assertThat(search.run(new SearchParameters(49, restart, NODES), nodes -> false))
                    .isEqualTo(Verdict.FEASIBLE);
        }
    }

    /** Raises the capacity until a run is feasible: all runs that end at one capacity must agree. */
    private static int decided(LiveRanges component) {
        BranchAndBound search = new BranchAndBound(component);
        int decided = 0;
        for (int step = 0; step < 8; step++) {
            long target = component.lowerBoundBytes() + step * component.sizeStep();
            Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
            for (int restart = 0; restart < 24; restart += 3) {
                verdicts.add(search.run(new SearchParameters(target, restart, NODES), nodes -> false));
            }
            verdicts.remove(Verdict.UNKNOWN);
            decided += verdicts.size();
            assertThat(verdicts)
                    .as("%s bytes for %s buffers of %s bytes", target, component.count(), component.lowerBoundBytes())
                    .hasSizeLessThan(2);
            if (verdicts.contains(Verdict.FEASIBLE)) {
                return decided;
            }
        }
        return decided;
    }

    /** 14 to 39 buffers, three of four of them for up to four steps. */
    private static PlacementProblem mostlyShort(SplittableRandom random) {
        int count = random.nextInt(14, 40);
        int steps = random.nextInt(8, 30);
        int largest = random.nextInt(3, 30);
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            int longest = random.nextInt(4) == 0 ? steps : 4;
            sizes[i] = random.nextInt(1, largest);
            lowers[i] = random.nextInt(steps);
            uppers[i] = Math.min(steps, lowers[i] + 1 + random.nextInt(longest));
        }
        return new PlacementProblem(
                sizes, lowers, uppers, random.nextInt(4) == 0 ? 4 : 1, random.nextInt(5) == 0 ? 64 : 0);
    }
}
