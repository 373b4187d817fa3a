package io.devicearena.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.testing.LargeProblems;
import io.devicearena.plan.testing.OverlapCheck;
import io.devicearena.plan.testing.SmallProblems;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementStrategiesTest {
    private static final int PROBLEMS_PER_SEED = 20;

    @Nested
    class Names {
        @Test
        void all_listsTheDefaultFirst() {
            assertThat(PlacementStrategies.all())
                    .containsExactly(PlacementStrategies.balanced(), PlacementStrategies.fast())
                    .extracting(PlacementStrategy::name)
                    .containsExactly("balanced", "fast");
            assertThat(PlacementStrategies.all())
                    .allMatch(strategy -> strategy.toString().equals(strategy.name()));
        }

        @Test
        void named_knownName_returnsThatStrategy() {
            for (PlacementStrategy strategy : PlacementStrategies.all()) {
                assertThat(PlacementStrategies.named(strategy.name())).isSameAs(strategy);
            }
        }

        @Test
        void named_unknownName_isRefusedWithTheKnownOnes() {
            assertThatThrownBy(() -> PlacementStrategies.named("Balanced"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("strategy: expected one of balanced, fast, got 'Balanced'");
        }
    }

    @Nested
    class Placements {
        static Stream<Arguments> strategiesAndSeeds() {
            return PlacementStrategies.all().stream()
                    .flatMap(strategy -> IntStream.range(0, 4).mapToObj(seed -> Arguments.of(strategy, seed)));
        }

        static List<PlacementStrategy> strategies() {
            return PlacementStrategies.all();
        }

        @ParameterizedTest(name = "{0}, seed {1}")
        @MethodSource("strategiesAndSeeds")
        void place_randomProblem_isValidAndTheSameEveryTime(PlacementStrategy strategy, long seed) {
            for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
                PlacementProblem problem = SmallProblems.small(i);
                assertThat(strategy.place(problem)).as("problem %d", i).isEqualTo(checked(strategy, problem));
            }
            checked(strategy, SmallProblems.crowded(seed, 1_500));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_largeProblem_isValid(PlacementStrategy strategy) {
            checked(strategy, LargeProblems.shortLived(10_000, 1));
            checked(strategy, LargeProblems.training(10_000, 1));
            checked(strategy, LargeProblems.mixed(3_000, 1));
            checked(strategy, LargeProblems.uneven(10_000, 1));
            checked(strategy, LargeProblems.anyLength(3_000, 1));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_inputThatMakesSkylinesSlow_isValid(PlacementStrategy strategy) {
            checked(strategy, LargeProblems.staggered(10_000, 1));
        }

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {0, 1, 2, 3})
        void balanced_anyProblem_isNeverLargerThanFast(long seed) {
            for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
                assertBalancedIsNoLarger(SmallProblems.small(1_000 + i));
            }
            assertBalancedIsNoLarger(SmallProblems.crowded(seed, 1_000));
            assertBalancedIsNoLarger(LargeProblems.anyLength(1_000, seed));
            assertBalancedIsNoLarger(LargeProblems.mixed(1_000, seed));
        }

        private static void assertBalancedIsNoLarger(PlacementProblem problem) {
            assertThat(arena(problem, checked(PlacementStrategies.balanced(), problem)))
                    .isLessThanOrEqualTo(arena(problem, checked(PlacementStrategies.fast(), problem)));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_allLiveAtOnce_stacksThem(PlacementStrategy strategy) {
            long[] sizes = new SplittableRandom(3).longs(100_000, 1, 1 << 20).toArray();
            PlacementProblem problem = LargeProblems.together(sizes, 1, 0, 0);
            assertThat(arena(problem, strategy.place(problem))).isEqualTo(problem.lowerBound());
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_noBytes_putsThemAtZero(PlacementStrategy strategy) {
            PlacementProblem problem = LargeProblems.together(new long[100_000], 64, 0, 128);
            assertThat(strategy.place(problem)).containsOnly(0);
            assertThat(strategy.place(new PlacementProblem(new long[0], new long[0], new long[0], 1, 0)))
                    .isEmpty();
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_sizesNearTheLargestLong_stacksThem(PlacementStrategy strategy) {
            long half = 1L << 62;
            PlacementProblem problem = new PlacementProblem(
                    new long[] {half, 7, half - 9, 1}, new long[4], new long[] {Long.MAX_VALUE, 1, 1, 2}, 1, 0);
            assertThat(arena(problem, checked(strategy, problem))).isEqualTo(problem.lowerBound());
            long quarter = 1L << 61;
            PlacementProblem bounded = new PlacementProblem(
                    new long[] {quarter - 32, quarter - 32}, new long[2], new long[] {1, 1}, 16, quarter);
            assertThat(strategy.place(bounded)).containsExactlyInAnyOrder(0, quarter);
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_boundaryAndOrigin_countsTheBoundaryFromZero(PlacementStrategy strategy) {
            PlacementProblem problem =
                    new PlacementProblem(new long[] {60, 50, 4}, new long[3], new long[] {1, 1, 1}, 4, 100, 36);
            checked(strategy, problem);
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_alignmentBoundaryAndOrigin_isValid(PlacementStrategy strategy) {
            SplittableRandom random = new SplittableRandom(4);
            int count = 1_000;
            long[] lowers = random.longs(count, 0, 250).toArray();
            long[] uppers = Arrays.stream(lowers)
                    .map(lower -> lower + random.nextInt(40))
                    .toArray();
            long[] equal = new long[count];
            Arrays.fill(equal, 1_000);
            long[] powers = IntStream.range(0, count)
                    .mapToLong(i -> 1L << random.nextInt(20))
                    .toArray();
            for (long[] sizes : List.of(equal, powers)) {
                for (long alignment : new long[] {1, 64, 256}) {
                    for (long boundary : new long[] {0, 1L << 20}) {
                        checked(
                                strategy,
                                new PlacementProblem(sizes, lowers, uppers, alignment, boundary, 3 * alignment));
                    }
                }
            }
        }
    }

    @Nested
    class Cancellation {
        static List<PlacementStrategy> strategies() {
            return PlacementStrategies.all();
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("strategies")
        void place_cancelledAtAnyTime_endsSoonWithAValidPlacement(PlacementStrategy strategy) {
            PlacementProblem problem = LargeProblems.anyLength(5_000, 1);
            for (int most : new int[] {0, 1_000, 30_000, 300_000}) {
                AtomicInteger asked = new AtomicInteger();
                long[] offsets = strategy.place(problem, () -> asked.incrementAndGet() > most);
                OverlapCheck.check(problem, offsets, arena(problem, offsets));
                // what is under way may ask once more for each buffer
                assertThat(asked.get()).isLessThan(most + 20_000);
            }
        }
    }

    private static long[] checked(PlacementStrategy strategy, PlacementProblem problem) {
        long[] offsets = strategy.place(problem);
        OverlapCheck.check(problem, offsets, arena(problem, offsets));
        return offsets;
    }

    private static long arena(PlacementProblem problem, long[] offsets) {
        return IntStream.range(0, problem.count())
                .mapToLong(i -> offsets[i] + problem.size(i))
                .max()
                .orElse(0);
    }
}
