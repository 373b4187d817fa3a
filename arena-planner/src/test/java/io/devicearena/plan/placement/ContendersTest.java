package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContendersTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void bestIsAsGoodAsTheBestOfAllThatWaitWithinAValley(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int served = 0;
        for (int i = 0; i < 50; i++) {
            PlacementProblem problem = Problems.small(50 * seed + i);
            if (problem.occupying().length > 0) {
                served += check(new Lives(problem), random);
            }
        }
        assertThat(served).isPositive();
    }

    /** Asks and takes away until nobody waits; tells how many were taken away. */
    private static int check(Lives lives, SplittableRandom random) {
        double[] scores =
                random.doubles(lives.count()).map(x -> 1 + Math.floor(9 * x)).toArray();
        int[] byFirst = Order.EARLIEST.of(lives);
        Contenders contenders = new Contenders(lives, byFirst, scores, Work.unlimited());
        Set<Integer> waiting = new HashSet<>(Arrays.stream(byFirst).boxed().toList());
        int served = 0;
        for (int asked = 0; asked < 20 * lives.count() && !waiting.isEmpty(); asked++) {
            int first = random.nextInt(lives.moments());
            int end = random.nextInt(first, lives.moments()) + 1;
            double least = random.nextInt(8);
            double best = waiting.stream()
                    .filter(life -> lives.first(life) >= first && lives.end(life) <= end)
                    .mapToDouble(life -> scores[life])
                    .filter(score -> score > least)
                    .max()
                    .orElse(0);
            int found = contenders.mayBeWithin(first, end, least) ? contenders.best(first, end, least) : -1;
            assertThat(found == -1 ? 0 : contenders.score(found)).isEqualTo(best);
            if (found != -1) {
                int life = contenders.remove(found);
                assertThat(lives.first(life)).isGreaterThanOrEqualTo(first);
                assertThat(lives.end(life)).isLessThanOrEqualTo(end);
                assertThat(waiting.remove(life)).isTrue();
                served++;
            }
        }
        return served;
    }
}
