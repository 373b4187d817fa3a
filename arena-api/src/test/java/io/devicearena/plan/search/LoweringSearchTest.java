package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.search.Searcher.Verdict;
import io.devicearena.plan.strategy.OverlapCheck;
import io.devicearena.plan.strategy.PlacementProblem;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The searches that lower a placement they are given. */
class LoweringSearchTest {
    private static final int SEEDS = 10;

    enum Lowering {
        EVICTION(100_000) {
            @Override
            Searcher of(Part part, long[] start) {
                return new EvictionSearch(part, new Companions(part), start);
            }
        },
        RUIN(1_000_000) {
            @Override
            Searcher of(Part part, long[] start) {
                return new RuinSearch(part, new Companions(part), start);
            }
        };

        /** The nodes in which it fits what its test has it fit. */
        final long nodesToFit;

        Lowering(long nodesToFit) {
            this.nodesToFit = nodesToFit;
        }

        abstract Searcher of(Part part, long[] start);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void whatItFindsIsAPlacementWithinTheTarget(Lowering lowering) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int found = 0;
            for (int i = 0; i < 20; i++) {
                PlacementProblem problem = Problems.crowded(100, random);
                Part part = Part.of(problem).getFirst();
                long[] start = PlacementStrategies.named("earliest-first").place(problem);
                long target = part.height(start) - 1 - random.nextInt(60);
                Searcher search = lowering.of(part, start);
                long[] offsets = start.clone();
                if (search.run(new Attempt(target, i, 5_000), nodes -> false) == Verdict.FITS) {
                    found++;
                    search.copyOffsets(offsets);
                    OverlapCheck.check(problem, offsets, target);
                }
            }
            assertThat(found).as("seed %d", seed).isPositive();
        }
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"RUIN, 1", "RUIN, 2", "RUIN, 3", "EVICTION, 1", "EVICTION, 2", "EVICTION, 3"})
    void itGoesOnWhereItWas(Lowering lowering, long seed) {
        PlacementProblem problem = Problems.crowded(200, new SplittableRandom(seed));
        Part part = Part.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        long target = part.height(start) - 20;
        Searcher whole = lowering.of(part, start);
        Searcher pieces = lowering.of(part, start);
        assertThat(whole.run(new Attempt(target, 0, lowering.nodesToFit), nodes -> false))
                .isEqualTo(Verdict.FITS);
        int attempts = 0;
        while (pieces.run(new Attempt(target, 0, 0), nodes -> false) == Verdict.GIVEN_UP) {
            attempts++;
        }
        long[] once = start.clone();
        long[] again = start.clone();
        whole.copyOffsets(once);
        pieces.copyOffsets(again);
        assertThat(again).isEqualTo(once);
        assertThat(attempts).isBetween(1, (int) whole.nodes());
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"RUIN, 1", "RUIN, 2", "RUIN, 3", "EVICTION, 1", "EVICTION, 2", "EVICTION, 3"})
    void sizesNearTheLargestNumberDoNotOverflow(Lowering lowering, long seed) {
        PlacementProblem problem = Problems.around(1L << 59);
        Part part = Part.of(problem).getFirst();
        long[] start = PlacementStrategies.named("earliest-first").place(problem);
        Searcher search = lowering.of(part, start);
        long[] offsets = start.clone();
        if (search.run(new Attempt(part.height(start) - 1, (int) seed, 2_000), nodes -> false) == Verdict.FITS) {
            search.copyOffsets(offsets);
        }
        OverlapCheck.check(problem, offsets, part.height(start));
    }
}
