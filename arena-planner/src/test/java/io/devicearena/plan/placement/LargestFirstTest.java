package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.testing.OverlapCheck;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargestFirstTest {
    private static final int PROBLEMS_PER_SEED = 500;

    private final LargestFirst strategy = new LargestFirst();

    @Test
    void itsNameIsTheOneOfReports() {
        assertThat(strategy.name()).isEqualTo("largest-first");
        assertThat(strategy).hasToString("largest-first");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void offsetsAreThoseOfNaiveFirstFit(long seed) {
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = Problems.small(seed * PROBLEMS_PER_SEED + i);
            assertThat(strategy.place(problem))
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(new NaiveLargestFirst().place(problem));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void offsetsAreThoseOfNaiveFirstFitWhereSetsGrowLarge(long seed) {
        PlacementProblem problem = Problems.crowded(seed, 1_500);
        assertThat(strategy.place(problem)).isEqualTo(new NaiveLargestFirst().place(problem));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void largerProblemsArePlacedWithoutOverlap(long seed) {
        PlacementProblem problem = Problems.crowded(seed, 10_000);
        assertPlaced(problem);
    }

    @Test
    void equalSizesGoByIndex() {
        PlacementProblem problem =
                new PlacementProblem(new long[] {8, 8, 8, 8}, new long[] {5, 4, 4, 0}, new long[] {7, 6, 6, 9}, 1, 0);
        assertThat(strategy.place(problem)).containsExactly(0, 8, 16, 24);
    }

    @Test
    void buffersThatOccupyNothingAreAtZero() {
        PlacementProblem problem =
                new PlacementProblem(new long[] {16, 0, 32, 8}, new long[] {0, 0, 3, 0}, new long[] {9, 9, 3, 9}, 8, 0);
        assertThat(strategy.place(problem)).containsExactly(0, 0, 0, 16);
        assertThat(strategy.place(new PlacementProblem(new long[0], new long[0], new long[0], 1, 0)))
                .isEmpty();
    }

    @Test
    void aBufferThatWouldCrossTheBoundaryBeginsAtIt() {
        PlacementProblem problem =
                new PlacementProblem(new long[] {60, 50, 4}, new long[3], new long[] {1, 1, 1}, 4, 100);
        assertThat(strategy.place(problem)).containsExactly(0, 100, 60);
    }

    @Test
    void theBoundaryIsCountedFromZeroWhateverTheOrigin() {
        PlacementProblem problem =
                new PlacementProblem(new long[] {60, 50, 4}, new long[3], new long[] {1, 1, 1}, 4, 100, 36);
        assertThat(strategy.place(problem)).containsExactly(36, 100, 96);
    }

    @Test
    void sizesNearTheLargestLongAreStacked() {
        long half = 1L << 62;
        PlacementProblem problem = new PlacementProblem(
                new long[] {half - 1, half, 0}, new long[3], new long[] {Long.MAX_VALUE, 1, Long.MAX_VALUE}, 1, 0);
        assertThat(strategy.place(problem)).containsExactly(half, 0, 0);
        PlacementProblem one =
                new PlacementProblem(new long[] {Long.MAX_VALUE}, new long[1], new long[] {Long.MAX_VALUE}, 1, 0);
        assertThat(strategy.place(one)).containsExactly(0);
    }

    @Test
    void sizesNearTheLargestThatABoundaryAllowsAreStacked() {
        long quarter = 1L << 61;
        PlacementProblem problem = new PlacementProblem(
                new long[] {quarter - 32, quarter - 32}, new long[2], new long[] {1, 1}, 16, quarter);
        assertThat(strategy.place(problem)).containsExactly(0, quarter);
    }

    @Test
    void aHundredThousandBuffersAreStackedWhenTheyNestAsInTraining() {
        int count = 100_000;
        SplittableRandom random = new SplittableRandom(1);
        long[] sizes = random.longs(count, 1, 262_144).toArray();
        long[] lowers = IntStream.range(0, count).asLongStream().toArray();
        long[] uppers = Arrays.stream(lowers).map(i -> 2L * count - i).toArray();
        PlacementProblem problem = new PlacementProblem(sizes, lowers, uppers, 1, 0);
        assertThat(assertPlaced(problem)).isEqualTo(problem.lowerBound());
    }

    @Test
    void aChainOfAHundredThousandBuffersTakesTheRoomOfAFew() {
        int count = 100_000;
        long[] sizes = new SplittableRandom(2).longs(count, 1, 40_000).toArray();
        long[] lowers = IntStream.range(0, count).asLongStream().toArray();
        long[] uppers = Arrays.stream(lowers).map(i -> i + 2).toArray();
        assertThat(assertPlaced(new PlacementProblem(sizes, lowers, uppers, 16, 0)))
                .isLessThan(120_000);
    }

    private long assertPlaced(PlacementProblem problem) {
        long[] offsets = strategy.place(problem);
        long arena = IntStream.range(0, problem.count())
                .mapToLong(i -> offsets[i] + problem.size(i))
                .max()
                .orElse(0);
        OverlapCheck.check(problem, offsets, arena);
        return arena;
    }
}
