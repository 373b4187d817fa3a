package io.devicearena.plan.optimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.Attempt;
import io.devicearena.plan.internal.exact.Searcher.Verdict;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.testing.OverlapCheck;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvictionSearchTest {
    private static final long NODES = 1_000_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatItFindsIsALowerPlacement(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 20; i++) {
            PlacementProblem problem = Problems.crowded(100, random);
            Part part = Part.of(problem).getFirst();
            long[] start = PlacementStrategies.named("earliest-first").place(problem);
            EvictionSearch search = new EvictionSearch(part, i % 2, start, Parts.lowerBound(part));
            long[] offsets = start.clone();
            long target = part.height(start) - 1 - random.nextInt(60) - problem.origin();
            if (search.run(new Attempt(target, i, 5_000), nodes -> false) == Verdict.FITS) {
                found++;
                part.copyOffsets(search.addresses(), offsets);
                OverlapCheck.check(problem, offsets, part.height(start) - 1);
            }
        }
        assertThat(found).isPositive();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void itGoesOnWhereItWas(long seed) {
        PlacementProblem problem = Problems.crowded(200, new SplittableRandom(seed));
        Part part = Part.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        long target = part.height(start) - 20 - problem.origin();
        EvictionSearch whole = new EvictionSearch(part, 0, start, Parts.lowerBound(part));
        EvictionSearch pieces = new EvictionSearch(part, 0, start, Parts.lowerBound(part));
        assertThat(whole.run(new Attempt(target, 0, NODES), nodes -> false)).isEqualTo(Verdict.FITS);
        long[] once = start.clone();
        part.copyOffsets(whole.addresses(), once);
        assertThat(part.height(once)).isLessThanOrEqualTo(problem.origin() + target);
        long[] again = start.clone();
        int attempts = 0;
        while (part.height(again) > problem.origin() + target) {
            assertThat(++attempts).isLessThan((int) NODES);
            if (pieces.run(new Attempt(target, 0, 1), nodes -> false) == Verdict.FITS) {
                part.copyOffsets(pieces.addresses(), again);
                pieces.know(again);
            }
        }
        assertThat(again).isEqualTo(once);
        assertThat(attempts).isGreaterThan(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatTheCallerKnowsAlreadyIsNoFind(long seed) {
        PlacementProblem problem = Problems.crowded(200, new SplittableRandom(seed));
        Part part = Part.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        EvictionSearch search = new EvictionSearch(part, 0, start, Parts.lowerBound(part));
        assertThat(search.run(new Attempt(part.height(start) - 20 - problem.origin(), 0, NODES), nodes -> false))
                .isEqualTo(Verdict.FITS);
        long[] found = start.clone();
        part.copyOffsets(search.addresses(), found);
        EvictionSearch other = new EvictionSearch(part, 1, start, Parts.lowerBound(part));
        other.know(found);
        assertThat(other.run(new Attempt(part.height(found) - problem.origin(), 0, NODES), nodes -> false))
                .isEqualTo(Verdict.GIVEN_UP);
        assertThat(other.nodes()).isZero();
        long[] taken = start.clone();
        part.copyOffsets(other.addresses(), taken);
        assertThat(taken).isEqualTo(found);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void sizesNearTheLargestNumberDoNotOverflow(long seed) {
        PlacementProblem problem = Problems.around(1L << 59);
        Part part = Part.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        EvictionSearch search = new EvictionSearch(part, (int) seed, start, Parts.lowerBound(part));
        long[] offsets = start.clone();
        if (search.run(new Attempt(Parts.lowerBound(part), 0, 2_000), nodes -> false) == Verdict.FITS) {
            part.copyOffsets(search.addresses(), offsets);
        }
        OverlapCheck.check(problem, offsets, part.height(start));
    }
}
