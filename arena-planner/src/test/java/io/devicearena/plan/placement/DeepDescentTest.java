package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.testing.OverlapCheck;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeepDescentTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whatItFindsIsLower(long seed) {
        PlacementProblem problem = io.devicearena.plan.optimal.Problems.cutSquare(200, seed);
        Lives lives = new Lives(problem);
        long bytes = 2 * lives.leastBytes();
        Optional<long[]> found = DeepDescent.below(lives, bytes);
        assertThat(found).isPresent();
        long[] offsets = Lives.place(problem, same -> found.orElseThrow());
        OverlapCheck.check(problem, offsets, bytes - bytes / 4);
    }

    @Test
    void whereNothingIsLowerItFindsNothing() {
        PlacementProblem problem = Shapes.aboveItsBound();
        assertThat(problem.lowerBound()).isLessThan(Shapes.NEEDED_ABOVE_BOUND);
        assertThat(DeepDescent.below(new Lives(problem), Shapes.NEEDED_ABOVE_BOUND))
                .isEmpty();
        assertThat(DeepDescent.below(new Lives(problem), 300)).isPresent();
        Lives one = new Lives(Shapes.together(new long[] {7}, 1, 0, 0));
        assertThat(DeepDescent.below(one, 7)).isEmpty();
    }

    @Test
    void withManyThatHangTogetherItDoesNotBegin() {
        Lives lives = new Lives(Shapes.anyLength(10_000, 1));
        assertThat(DeepDescent.below(lives, 2 * lives.leastBytes())).isEmpty();
    }
}
