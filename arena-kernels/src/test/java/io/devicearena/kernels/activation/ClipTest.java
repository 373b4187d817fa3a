package io.devicearena.kernels.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClipTest {
    static Stream<Arguments> placesAndSeeds() {
        return Place.withoutCuda().stream().flatMap(place -> Stream.of(1, 2, 3).map(seed -> Arguments.of(place, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void clip_anyLength_isTheNearestNumberOfTheRange(Place place, int seed) {
        int elements = new SplittableRandom(seed).nextInt(1, 70_000);
        float[] x = StepTrial.random(elements, seed);
        StepTrial trial = new StepTrial();
        NodeId in = trial.floats(x);
        NodeId out = trial.floats(new float[elements]);
        trial.run(place, List.of(new Clip(out, in, elements, -0.5f, 0.25f), new Clip(in, in, elements, -0.5f, 0.25f)));

        float[] expected = new float[elements];
        for (int i = 0; i < elements; i++) {
            expected[i] = x[i] < -0.5f ? -0.5f : x[i] > 0.25f ? 0.25f : x[i];
        }
        assertThat(trial.floatsOf(out)).isEqualTo(expected);
        assertThat(trial.floatsOf(in)).isEqualTo(expected);
    }

    @Test
    void clip_emptyRange_isRefused() {
        assertThatThrownBy(() -> new Clip(NodeId.of(1), NodeId.of(2), 4, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "clip of node 2: expected a finite least and a finite most that is not less, got 1.0 and 0.0");
    }
}
