package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.Searcher.Verdict;
import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.Shapes;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValleySearchTest {
    private static final int STEPS = 9;
    private static final int NODES = 2_000;
    private static final PlacementProblem CORE = Shapes.aboveItsBound();

    /** The attempts are some that weigh waste the same in any capacity. */
    @ParameterizedTest(name = "attempt {0}")
    @ValueSource(ints = {1, 5})
    void buffersThatLiveAllTheTimeTakeANodeEach(int number) {
        long nodes = nodesOfProof(CORE, Shapes.NEEDED_ABOVE_BOUND - 1, number);
        PlacementProblem more = withSpanning(CORE, 7, 9, 9, 11, 30, 2, 5, 64);
        assertThat(nodes).isGreaterThan(100);
        assertThat(nodesOfProof(more, Shapes.NEEDED_ABOVE_BOUND - 1 + 137, number))
                .isEqualTo(nodes + 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void noAttemptRulesOutWhatAnotherOneFits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int decided = 0;
        for (int i = 0; i < 100; i++) {
            for (Lifetimes part : Parts.of(mostlyShort(random))) {
                decided += decided(part);
            }
        }
        assertThat(decided).isGreaterThan(100);
    }

    /** The last unit of the alignment is not a whole one, so only two of the buffers may lie highest, one of them at each moment. */
    @Test
    void finishedMomentsOfOneStateAreNoDeadEndInAnother() {
        PlacementProblem problem = new PlacementProblem(
                new long[] {29, 8, 1, 14, 15, 3, 19},
                new long[] {0, 4, 5, 4, 0, 0, 5},
                new long[] {2, 9, 7, 6, 2, 6, 9},
                4,
                0);
        Lifetimes part = Parts.first(problem);
        for (int number = 0; number < 40; number++) {
            ValleySearch search = new ValleySearch(part, new Experience(part.count()), 16);
            assertThat(search.run(new Attempt(49, number, NODES), nodes -> false))
                    .isEqualTo(Verdict.FITS);
        }
    }

    /** Raises the target by some steps or until an attempt fits: all that are done at that target must then. */
    private static int decided(Lifetimes part) {
        ValleySearch search = new ValleySearch(part, new Experience(part.count()), 16);
        int decided = 0;
        for (int step = 0; step < 8; step++) {
            long target = Parts.lowerBound(part) + step * Parts.grain(part);
            Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
            for (int number = 0; number < 24; number += 3) {
                verdicts.add(search.run(new Attempt(target, number, NODES), nodes -> false));
            }
            verdicts.remove(Verdict.GIVEN_UP);
            decided += verdicts.size();
            assertThat(verdicts)
                    .as("%s bytes for %s buffers of %s bytes", target, part.count(), Parts.lowerBound(part))
                    .hasSizeLessThan(2);
            if (verdicts.contains(Verdict.FITS)) {
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

    private static long nodesOfProof(PlacementProblem problem, long target, int number) {
        Lifetimes part = Parts.first(problem);
        ValleySearch search = new ValleySearch(part, new Experience(part.count()), 16);
        assertThat(search.run(new Attempt(target, number, 1_000_000), nodes -> false))
                .isEqualTo(Verdict.DOES_NOT_FIT);
        return search.nodes();
    }

    private static PlacementProblem withSpanning(PlacementProblem core, long... spanning) {
        int count = core.count() + spanning.length;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < core.count(); i++) {
            sizes[i] = core.size(i);
            lowers[i] = core.lower(i);
            uppers[i] = core.upper(i);
        }
        for (int i = 0; i < spanning.length; i++) {
            sizes[core.count() + i] = spanning[i];
            uppers[core.count() + i] = STEPS;
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }
}
