package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Work;
import io.devicearena.plan.testing.OverlapCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainsTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void livesHaveThePlacesOfTheirChainsAndNothingOverlaps(long seed) {
        int shorter = 0;
        for (int i = 0; i < 50; i++) {
            PlacementProblem problem = Problems.small(50 * seed + i);
            if (problem.occupying().length > 0) {
                shorter += check(problem, 0.5 + i / 100.0) ? 1 : 0;
            }
        }
        shorter += check(Shapes.mixed(1_000, seed), 1) ? 1 : 0;
        assertThat(shorter).isPositive();
    }

    /** Tells whether there were fewer chains than lives. */
    private static boolean check(PlacementProblem problem, double fullest) {
        Lives lives = new Lives(problem);
        List<Lives> joined = new ArrayList<>();
        long[] addresses = Chains.of(lives)
                .place(fullest, chains -> {
                    joined.add(chains);
                    return SkylineBestFit.PREFERENCE.place(chains, Work.unlimited());
                })
                .orElseThrow();
        Lives chains = joined.getFirst();
        assertThat(chains.bound()).isEqualTo(lives.bound());
        assertThat(chains.bytes(SkylineBestFit.PREFERENCE
                        .place(chains, Work.unlimited())
                        .orElseThrow()))
                .isEqualTo(lives.bytes(addresses));
        long[] offsets = Lives.place(problem, same -> addresses);
        OverlapCheck.check(problem, offsets, PlacementStrategiesTest.arena(problem, offsets));
        return chains.count() < lives.count();
    }

    @Test
    void lifeFollowsTheOneOfItsSizeThatEndedLast() {
        long[] sizes = {8, 8, 8, 8, 16};
        long[] lowers = {0, 0, 2, 3, 3};
        long[] uppers = {1, 2, 4, 4, 4};
        Lives lives = new Lives(new PlacementProblem(sizes, lowers, uppers, 1, 0));
        long[] addresses = Chains.of(lives)
                .place(1, chains -> Optional.of(new long[] {0, 8, 16}))
                .orElseThrow();
        assertThat(addresses[2]).isEqualTo(addresses[1]);
        assertThat(addresses[3]).isEqualTo(addresses[0]);
        assertThat(addresses[0]).isNotEqualTo(addresses[1]);
        assertThat(addresses[4]).isEqualTo(16);
    }

    @ParameterizedTest(name = "up to {0} of the bound")
    @ValueSource(doubles = {0.2, 0.7, 0.8, 1})
    void chainGoesOnOnlyWhereEnoughIsFreeMeanwhile(double fullest) {
        // Three units of ten are taken while the chain would wait with its four.
        long[] sizes = {4, 3, 4, 10};
        long[] lowers = {0, 1, 2, 4};
        long[] uppers = {1, 2, 3, 5};
        int expected = fullest < 0.7 ? 4 : 3;
        assertThat(chainCount(new PlacementProblem(sizes, lowers, uppers, 1, 0), fullest))
                .isEqualTo(expected);
    }

    private static int chainCount(PlacementProblem problem, double fullest) {
        int[] count = new int[1];
        Optional<long[]> none = Chains.of(new Lives(problem)).place(fullest, chains -> {
            count[0] = chains.count();
            return Optional.empty();
        });
        assertThat(none).isEmpty();
        return count[0];
    }

    @Test
    void sizesThatRecurMakeFarFewerChainsThanLives() {
        assertThat(chainCount(Shapes.mixed(10_000, 1), 1)).isLessThan(1_000);
        assertThat(chainCount(Shapes.anyLength(10_000, 1), 1)).isGreaterThan(8_000);
        assertThat(Chains.whereSizesRecur(new Lives(Shapes.mixed(10_000, 1)))).isPresent();
        assertThat(Chains.whereSizesRecur(new Lives(Shapes.anyLength(10_000, 1))))
                .isEmpty();
    }

    @Test
    void whatIsLiveMeanwhileCountsOnceForEachChainThatWaits() {
        // Two chains of four wait while two of ten are taken: both fit, but only one of them in six tenths.
        long[] sizes = {4, 4, 2, 4, 4, 10};
        long[] lowers = {0, 0, 1, 2, 2, 4};
        long[] uppers = {1, 1, 2, 3, 3, 5};
        PlacementProblem problem = new PlacementProblem(sizes, lowers, uppers, 1, 0);
        assertThat(chainCount(problem, 1)).isEqualTo(4);
        assertThat(chainCount(problem, 0.6)).isEqualTo(5);
        assertThat(Arrays.stream(sizes).max()).hasValue(new Lives(problem).bound());
    }
}
