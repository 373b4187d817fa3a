package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.search.Searcher.Verdict;
import io.devicearena.plan.strategy.OverlapCheck;
import io.devicearena.plan.strategy.PlacementProblem;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvictionSearchTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatItFindsIsAPlacementWithinTheTarget(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 20; i++) {
            PlacementProblem problem = Problems.crowded(100, random);
            Part part = Part.of(problem).getFirst();
            long[] start = PlacementStrategies.named("earliest-first").place(problem);
            long target = part.height(start) - 1 - random.nextInt(60);
            EvictionSearch search = new EvictionSearch(part, new Companions(part), start);
            long[] offsets = start.clone();
            if (search.run(new Attempt(target, i, 5_000), nodes -> false) == Verdict.FITS) {
                found++;
                search.copyOffsets(offsets);
                OverlapCheck.check(problem, offsets, target);
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
        long target = part.height(start) - 20;
        EvictionSearch whole = new EvictionSearch(part, new Companions(part), start);
        EvictionSearch pieces = new EvictionSearch(part, new Companions(part), start);
        assertThat(whole.run(new Attempt(target, 0, 100_000), nodes -> false)).isEqualTo(Verdict.FITS);
        int attempts = 0;
        while (pieces.run(new Attempt(target, 0, 1), nodes -> false) == Verdict.GIVEN_UP) {
            attempts++;
        }
        long[] once = start.clone();
        long[] again = start.clone();
        whole.copyOffsets(once);
        pieces.copyOffsets(again);
        assertThat(again).isEqualTo(once);
        assertThat(attempts).isLessThanOrEqualTo((int) whole.nodes());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void companionsAreAllThatMeetABuffer(long seed) {
        PlacementProblem problem = Problems.crowded(300, new SplittableRandom(seed));
        Part part = Part.of(problem).getFirst();
        Companions companions = new Companions(part);
        int[] found = new int[part.count()];
        for (int i = 0; i < part.count(); i++) {
            boolean[] expected = new boolean[part.count()];
            boolean[] actual = new boolean[part.count()];
            for (int j = 0; j < part.count(); j++) {
                expected[j] = part.first(i) <= part.last(j) && part.first(j) <= part.last(i);
            }
            int n = companions.of(i, found);
            for (int k = 0; k < n; k++) {
                assertThat(actual[found[k]]).as("found twice").isFalse();
                actual[found[k]] = true;
            }
            assertThat(actual).isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void rankedKeysGiveWhatIsMarkedInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] keys = random.longs(200, 0, 100).toArray();
        RankedKeys ranked = RankedKeys.of(keys);
        for (int round = 0; round < 200; round++) {
            int changed = random.nextInt(keys.length);
            keys[changed] = random.nextInt(100);
            ranked.move(changed, keys[changed]);
            boolean[] marked = new boolean[keys.length];
            int marks = 0;
            for (int i = 0; i < keys.length; i++) {
                if (random.nextInt(3) == 0) {
                    marked[i] = true;
                    ranked.mark(i);
                    marks++;
                }
            }
            int[] found = new int[keys.length];
            assertThat(ranked.takeMarked(found)).isEqualTo(marks);
            for (int k = 0; k < marks; k++) {
                assertThat(marked[found[k]]).isTrue();
                assertThat(k == 0 || keys[found[k - 1]] <= keys[found[k]]).isTrue();
            }
            assertThat(ranked.takeMarked(found)).isZero();
        }
    }
}
