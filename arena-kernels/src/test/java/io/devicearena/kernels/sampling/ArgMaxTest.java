package io.devicearena.kernels.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The largest logit is chosen, the lowest index of equal ones, and the cursor moves. */
class ArgMaxTest {
    private static int[] cursorAfter(Place place, float[] logits) {
        StepTrial trial = new StepTrial();
        NodeId in = trial.floats(logits);
        NodeId scratch = trial.ints(new int[ArgMax.SCRATCH_WORDS]);
        NodeId cursor = trial.ints(40, 7, 99, 3);
        trial.run(place, List.of(new ArgMax(in, logits.length, scratch, cursor)));
        return trial.intsOf(cursor);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void choice_ofManyLogits_isTheLargest(Place place) {
        float[] logits = StepTrial.random(70_000, 5);
        logits[65_999] = 1.5f;

        assertThat(cursorAfter(place, logits)).containsExactly(47, 1, 65_999, 4);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void choice_ofEqualLogits_hasTheLowestIndex(Place place) {
        float[] logits = new float[1000];
        Arrays.fill(logits, -3);
        logits[300] = -0.0f;
        logits[0] = Float.NaN;
        logits[400] = -0.0f;

        assertThat(cursorAfter(place, logits)).containsExactly(47, 1, 300, 4);

        logits[700] = 0.0f;
        assertThat(cursorAfter(place, logits)).containsExactly(47, 1, 700, 4);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void choice_ofNothingButNaN_isTheFirst(Place place) {
        assertThat(cursorAfter(place, new float[] {Float.NaN, Float.NaN})).containsExactly(47, 1, 0, 4);
    }
}
