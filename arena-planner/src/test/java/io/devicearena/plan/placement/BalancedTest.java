package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.testing.OverlapCheck;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalancedTest {
    private final Balanced strategy = new Balanced();

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void whatLivesBrieflyNeedsNoMoreThanItsFullestStep(int count) {
        PlacementProblem problem = Shapes.brief(count, 1);
        assertThat(arena(problem)).isEqualTo(problem.lowerBound());
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {1_000, 10_000})
    void whateverTheSeedShortLivesAndTrainingNeedNoMoreThanTheirFullestStep(int count) {
        for (long seed = 1; seed <= 40; seed++) {
            for (PlacementProblem problem :
                    List.of(Shapes.brief(count, seed), Shapes.uneven(count, seed), Shapes.training(count, seed))) {
                assertThat(arena(problem)).as("seed %s", seed).isEqualTo(problem.lowerBound());
            }
        }
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void trainingNeedsAThousandthMoreThanItsFullestStepAtMost(int count) {
        PlacementProblem problem = Shapes.training(count, 1);
        assertThat(arena(problem) - problem.lowerBound()).isLessThanOrEqualTo(problem.lowerBound() / 1_000);
    }

    @ParameterizedTest(name = "{0} layers")
    @ValueSource(ints = {32, 70, 110})
    @Timeout(300) // no bound on speed, but an end to a search without end
    void aTrainingStepNeedsEightThousandthsMoreThanItsFullestStepAtMost(int layers) {
        PlacementProblem transformer = Shapes.transformer(layers, layers);
        assertThat(gapInThousandths(transformer)).isLessThanOrEqualTo(8);
        PlacementProblem checkpoints = Shapes.checkpoints(layers, 200, layers);
        assertThat(gapInThousandths(checkpoints)).isLessThanOrEqualTo(8);
        PlacementProblem pipeline = Shapes.pipeline(layers * 560, layers);
        assertThat(gapInThousandths(pipeline)).isLessThanOrEqualTo(8);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void equalMicroBatchesNeedSixThousandthsMoreThanTheirFullestStepAtMost(long seed) {
        assertThat(gapInThousandths(Shapes.equalMicroBatches(18_000, seed))).isLessThanOrEqualTo(6);
        assertThat(gapInThousandths(Shapes.oneForwardOneBackward(40_000, seed))).isLessThanOrEqualTo(6);
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {18_000, 36_000, 62_000, 120_000})
    @Timeout(300)
    void unevenSizesAndLivesOfAnyLengthNeedAFortiethMoreThanTheirFullestStepAtMost(int count) {
        assertThat(gapInThousandths(Shapes.uneven(count, 2))).isLessThanOrEqualTo(25);
        assertThat(gapInThousandths(Shapes.mixed(count, 2))).isLessThanOrEqualTo(25);
        assertThat(gapInThousandths(Shapes.anyLength(count, 2))).isLessThanOrEqualTo(25);
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {300, 1_500, 5_000, 18_000})
    @Timeout(300)
    void offsetsDoNotDependOnWhoHelps(int count) {
        for (PlacementProblem problem : List.of(
                Shapes.anyLength(count, 3),
                Shapes.brief(count, 8),
                Shapes.mixed(count, 4),
                Shapes.pipeline(count, 5))) {
            long[] helped = strategy.place(problem);
            assertThat(BusyPool.during(() -> strategy.place(problem))).isEqualTo(helped);
        }
    }

    @Test
    @Timeout(300)
    void aMillionBuffersOfTrainingNeedAThousandthMoreThanTheirFullestStepAtMost() {
        assertThat(gapInThousandths(Shapes.training(1_000_000, 2))).isLessThanOrEqualTo(1);
    }

    @Test
    @Timeout(300)
    void aMillionBuffersOfAnyLengthNeedThreeHundredthsMoreThanTheirFullestStepAtMost() {
        assertThat(gapInThousandths(Shapes.anyLength(1_000_000, 1))).isLessThanOrEqualTo(30);
    }

    @Test
    @Timeout(300)
    void aMillionBuffersThatLiveAllAtOnceAreStacked() {
        long[] sizes = new SplittableRandom(5).longs(1_000_000, 1, 1 << 20).toArray();
        assertThat(gapInThousandths(Shapes.together(sizes, 1, 0, 0))).isZero();
    }

    @Test
    @Timeout(300)
    void aMillionBuffersThatLiveBrieflyArePlaced() {
        PlacementProblem problem = Shapes.brief(1_000_000, 2);
        assertThat(arena(problem)).isEqualTo(problem.lowerBound());
    }

    @Test
    @Timeout(300)
    void aMillionBuffersThatNestArePlacedWithoutAGap() {
        int count = 1_000_000;
        long[] sizes = new SplittableRandom(1).longs(count, 1, 262_144).toArray();
        long[] lowers = IntStream.range(0, count).asLongStream().toArray();
        long[] uppers = Arrays.stream(lowers).map(i -> 2L * count - i).toArray();
        PlacementProblem problem = new PlacementProblem(sizes, lowers, uppers, 64, 0);
        assertThat(arena(problem))
                .isEqualTo(new PlacementProblem(
                                        Arrays.stream(sizes)
                                                .map(size -> (size + 63) / 64 * 64)
                                                .toArray(),
                                        lowers,
                                        uppers,
                                        1,
                                        0)
                                .lowerBound()
                        - paddingOfTheHighest(problem));
    }

    /** What rounding up would add to the buffer that ends highest. */
    private long paddingOfTheHighest(PlacementProblem problem) {
        long[] offsets = strategy.place(problem);
        return IntStream.range(0, problem.count())
                .boxed()
                .max((a, b) -> Long.compare(offsets[a] + problem.size(a), offsets[b] + problem.size(b)))
                .map(i -> -problem.size(i) & 63)
                .orElseThrow();
    }

    /** How far above the bound the arena is, in thousandths of the bound, rounded up. */
    private long gapInThousandths(PlacementProblem problem) {
        long bound = problem.lowerBound();
        return Math.ceilDiv((arena(problem) - bound) * 1_000, bound);
    }

    private long arena(PlacementProblem problem) {
        long[] offsets = strategy.place(problem);
        long arena = PlacementStrategiesTest.arena(problem, offsets);
        OverlapCheck.check(problem, offsets, arena);
        return arena;
    }
}
