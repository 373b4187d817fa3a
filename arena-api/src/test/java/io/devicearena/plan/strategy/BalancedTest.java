package io.devicearena.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void trainingNeedsAThousandthMoreThanItsFullestStepAtMost(int count) {
        PlacementProblem problem = Shapes.training(count, 1);
        assertThat(arena(problem) - problem.lowerBound()).isLessThanOrEqualTo(problem.lowerBound() / 1_000);
    }

    @Test
    @Timeout(300) // no bound on speed, but an end to a search without end
    void aMillionBuffersThatLiveBrieflyArePlaced() {
        PlacementProblem problem = Shapes.brief(1_000_000, 2);
        assertThat(arena(problem) - problem.lowerBound()).isLessThanOrEqualTo(problem.lowerBound() / 100);
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

    private long arena(PlacementProblem problem) {
        long[] offsets = strategy.place(problem);
        long arena = PlacementStrategiesTest.arena(problem, offsets);
        OverlapCheck.check(problem, offsets, arena);
        return arena;
    }
}
