package io.devicearena.plan.internal.skyline;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.testing.SmallProblems;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CandidateTreeTest {
    private static final int PROBLEMS_PER_SEED = 50;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void best_anyGap_isTheBestOfAllThatFit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int removed = 0;
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            LiveRanges ranges = LiveRanges.of(SmallProblems.small(PROBLEMS_PER_SEED * seed + i));
            if (ranges.count() > 0) {
                removed += check(ranges, random);
            }
        }
        assertThat(removed).isPositive();
    }

    /** Asks and removes until the tree is empty; returns how many were removed. */
    private static int check(LiveRanges ranges, SplittableRandom random) {
        double[] scores =
                random.doubles(ranges.count()).map(x -> 1 + Math.floor(9 * x)).toArray();
        int[] byFirst = ranges.byFirst();
        CandidateTree tree = new CandidateTree(ranges, byFirst, scores, new StepBudget(Long.MAX_VALUE));
        Set<Integer> unplaced = new HashSet<>(Arrays.stream(byFirst).boxed().toList());
        int removed = 0;
        for (int asked = 0; asked < 20 * ranges.count() && !unplaced.isEmpty(); asked++) {
            int first = random.nextInt(ranges.cliques());
            int end = random.nextInt(first, ranges.cliques()) + 1;
            double least = random.nextInt(8);
            double best = unplaced.stream()
                    .filter(buffer -> ranges.first(buffer) >= first && ranges.end(buffer) <= end)
                    .mapToDouble(buffer -> scores[buffer])
                    .filter(score -> score > least)
                    .max()
                    .orElse(0);
            int found = tree.mayFit(first, end, least) ? tree.best(first, end, least) : -1;
            assertThat(found == -1 ? 0 : tree.score(found)).isEqualTo(best);
            if (found != -1) {
                int buffer = tree.remove(found);
                assertThat(ranges.first(buffer)).isGreaterThanOrEqualTo(first);
                assertThat(ranges.end(buffer)).isLessThanOrEqualTo(end);
                assertThat(unplaced.remove(buffer)).isTrue();
                removed++;
            }
        }
        return removed;
    }
}
