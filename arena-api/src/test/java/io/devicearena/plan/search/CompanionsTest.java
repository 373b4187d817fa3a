package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.strategy.PlacementProblem;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompanionsTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theyAreAllThatMeetABuffer(long seed) {
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
}
