package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.internal.ejection.Work;
import io.devicearena.plan.testing.OverlapCheck;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementStrategiesTest {
    private static final int PROBLEMS_PER_SEED = 40;

    @Test
    void theDefaultIsTheFirst() {
        assertThat(PlacementStrategies.all().stream().map(PlacementStrategy::name))
                .containsExactly(
                        "balanced",
                        "largest-first",
                        "largest-first-best-fit",
                        "largest-area-first",
                        "longest-first",
                        "tflite-greedy-by-size",
                        "greedy-by-breadth",
                        "xla-best-of-orders",
                        "earliest-first",
                        "skyline-best-fit",
                        "longest-on-top");
        assertThat(PlacementStrategies.all())
                .allMatch(strategy -> strategy.toString().equals(strategy.name()));
    }

    @Test
    void aStrategyIsFoundByItsName() {
        for (PlacementStrategy strategy : PlacementStrategies.all()) {
            assertThat(PlacementStrategies.named(strategy.name())).isSameAs(strategy);
        }
    }

    @Test
    void anUnknownNameIsRefusedWithThoseThatExist() {
        assertThatThrownBy(() -> PlacementStrategies.named("Balanced"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("strategy: expected one of balanced, largest-first, largest-first-best-fit,"
                        + " largest-area-first, longest-first, tflite-greedy-by-size, greedy-by-breadth,"
                        + " xla-best-of-orders, earliest-first, skyline-best-fit, longest-on-top, got 'Balanced'");
    }

    static Stream<Arguments> strategiesAndSeeds() {
        return PlacementStrategies.all().stream()
                .flatMap(strategy -> IntStream.range(0, 4).mapToObj(seed -> Arguments.of(strategy, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("strategiesAndSeeds")
    void randomProblemsArePlacedWithoutOverlapAndAlikeEveryTime(PlacementStrategy strategy, long seed) {
        for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = Problems.small(i);
            long[] offsets = strategy.place(problem);
            OverlapCheck.check(problem, offsets, arena(problem, offsets));
            assertThat(strategy.place(problem)).as("problem %d", i).isEqualTo(offsets);
        }
        PlacementProblem crowded = Problems.crowded(seed, 3_000);
        long[] offsets = strategy.place(crowded);
        OverlapCheck.check(crowded, offsets, arena(crowded, offsets));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3})
    void noStrategyIsBetterThanTheDefault(long seed) {
        for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
            assertDefaultIsBest(Problems.small(1_000 + i));
        }
        assertDefaultIsBest(Problems.crowded(seed, 1_500));
        assertDefaultIsBest(Shapes.mixed(2_000, seed));
        assertDefaultIsBest(Shapes.brief(2_000, seed));
        assertDefaultIsBest(Shapes.training(2_000, seed));
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {3_000, 10_000, 20_000})
    void noStrategyIsBetterUpTo20000Buffers(int count) {
        for (PlacementProblem problem : List.of(
                Shapes.mixed(count, 3),
                Shapes.anyLength(count, 3),
                Shapes.pipeline(count, 3),
                Shapes.oneForwardOneBackward(count, 3),
                Shapes.transformer(count / 170, 3))) {
            assertDefaultIsBest(problem);
        }
    }

    @Test
    @Timeout(120)
    void noOrderOfTimeIsBetterThanTheDefaultWhereValleysTakeTooLong() {
        PlacementProblem problem = Shapes.staggered(50_000, 1);
        Lives lives = new Lives(problem);
        assertThat(SkylineBestFit.PREFERENCE.place(lives, new Work(SkylineBestFit.mostSteps(lives))))
                .isEmpty();
        assertThat(arena(problem, PlacementStrategies.named("balanced").place(problem)))
                .isLessThanOrEqualTo(arena(
                        problem, PlacementStrategies.named("earliest-first").place(problem)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    void whatIsNotWantedIsNotPlaced(PlacementStrategy strategy) {
        assertThatThrownBy(() -> strategy.place(Problems.crowded(1, 3_000), () -> true))
                .isInstanceOf(CancellationException.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    void whatIsNotWantedAnyMoreEndsSoon(PlacementStrategy strategy) {
        PlacementProblem problem = Shapes.anyLength(5_000, 1);
        for (int most : new int[] {1_000, 30_000, 300_000}) {
            AtomicInteger asked = new AtomicInteger();
            try {
                long[] offsets = strategy.place(problem, () -> asked.incrementAndGet() > most);
                OverlapCheck.check(problem, offsets, arena(problem, offsets));
            } catch (CancellationException e) {
                assertThat(asked.get()).isGreaterThan(most);
            }
            // what is under way may ask once more for each buffer
            assertThat(asked.get()).isLessThan(most + 20_000);
        }
    }

    private static void assertDefaultIsBest(PlacementProblem problem) {
        long best = arena(problem, PlacementStrategies.all().getFirst().place(problem));
        for (PlacementStrategy strategy : PlacementStrategies.all()) {
            assertThat(best)
                    .as("%s of %s", strategy, problem)
                    .isLessThanOrEqualTo(arena(problem, strategy.place(problem)));
        }
    }

    static List<PlacementStrategy> strategies() {
        return PlacementStrategies.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    @Timeout(120) // no bound on speed, but an end to a search without end
    void whatIsLiveAllAtOnceIsStacked(PlacementStrategy strategy) {
        int count = 200_000;
        long[] sizes = new SplittableRandom(3).longs(count, 1, 1 << 20).toArray();
        PlacementProblem problem = Shapes.together(sizes, 1, 0, 0);
        assertThat(arena(problem, strategy.place(problem))).isEqualTo(problem.lowerBound());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    @Timeout(120)
    void whatHasNoBytesIsAtZero(PlacementStrategy strategy) {
        PlacementProblem problem = Shapes.together(new long[1_000_000], 64, 0, 128);
        assertThat(strategy.place(problem)).containsOnly(0);
        assertThat(strategy.place(new PlacementProblem(new long[0], new long[0], new long[0], 1, 0)))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    void sizesNearTheLargestLongAreStacked(PlacementStrategy strategy) {
        long half = 1L << 62;
        PlacementProblem problem = new PlacementProblem(
                new long[] {half, 7, half - 9, 1}, new long[4], new long[] {Long.MAX_VALUE, 1, 1, 2}, 1, 0);
        long[] offsets = strategy.place(problem);
        OverlapCheck.check(problem, offsets, Long.MAX_VALUE);
        assertThat(arena(problem, offsets)).isEqualTo(problem.lowerBound());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strategies")
    @Timeout(120)
    void equalSizesAndPowersOfTwoArePlacedWithAlignmentBoundaryAndOrigin(PlacementStrategy strategy) {
        SplittableRandom random = new SplittableRandom(4);
        int count = 4_000;
        long[] lowers = random.longs(count, 0, 1_000).toArray();
        long[] uppers =
                Arrays.stream(lowers).map(lower -> lower + random.nextInt(40)).toArray();
        long[] equal = new long[count];
        Arrays.fill(equal, 1_000);
        long[] powers = IntStream.range(0, count)
                .mapToLong(i -> 1L << random.nextInt(20))
                .toArray();
        for (long[] sizes : List.of(equal, powers)) {
            for (long alignment : new long[] {1, 64, 256}) {
                for (long boundary : new long[] {0, 1L << 20}) {
                    PlacementProblem problem =
                            new PlacementProblem(sizes, lowers, uppers, alignment, boundary, 3 * alignment);
                    long[] offsets = strategy.place(problem);
                    OverlapCheck.check(problem, offsets, arena(problem, offsets));
                }
            }
        }
    }

    static long arena(PlacementProblem problem, long[] offsets) {
        return IntStream.range(0, problem.count())
                .mapToLong(i -> offsets[i] + problem.size(i))
                .max()
                .orElse(0);
    }
}
