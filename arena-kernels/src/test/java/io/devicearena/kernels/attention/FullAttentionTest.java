package io.devicearena.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of a sequence attends to all valid ones, as in double precision. */
class FullAttentionTest {
    private static final double U = 0x1p-24;
    private static final float SCALE = 0.5f;

    static Stream<Arguments> cases() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Stream.of(
                        // rows, heads, elements, in place, lengths
                        Arguments.of(place, 37, 3, 32, false, new int[] {37, 0, 5}),
                        Arguments.of(place, 70, 2, 64, true, new int[] {33, 70}),
                        Arguments.of(place, 40, 1, 256, false, new int[] {99}),
                        Arguments.of(place, 1, 2, 8, true, new int[] {1, 1, 1, 0})));
    }

    @ParameterizedTest(name = "{0}: {1} rows, {2} heads of {3}, in place {4}, lengths {5}")
    @MethodSource("cases")
    void validRows_areAnswered(Place place, int rows, int heads, int headDim, boolean inPlace, int[] lengths) {
        int columns = heads * headDim;
        int count = lengths.length * rows * columns;
        float[] q = StepTrial.random(count, 1);
        float[] k = StepTrial.random(count, 2);
        float[] v = StepTrial.random(count, 3);
        StepTrial trial = new StepTrial();
        NodeId queries = trial.floats(q);
        NodeId out = inPlace ? queries : trial.floats(new float[count]);
        FullAttention step = new FullAttention(
                queries,
                trial.floats(k),
                trial.floats(v),
                trial.ints(lengths),
                lengths.length,
                rows,
                heads,
                headDim,
                SCALE,
                out);
        trial.run(place, List.of(step));

        float[] got = trial.floatsOf(out);
        float[] before = inPlace ? q : new float[count];
        for (int i = 0; i < lengths.length * rows * heads; i++) {
            int sequence = i / heads / rows;
            int valid = Math.min(rows, lengths[sequence]);
            int at = i * headDim;
            if (i / heads % rows >= valid) {
                assertThat(Arrays.copyOfRange(got, at, at + headDim))
                        .isEqualTo(Arrays.copyOfRange(before, at, at + headDim));
            } else {
                int first = (sequence * rows * heads + i % heads) * headDim;
                assertRow(got, at, q, k, v, first, columns, valid, headDim);
            }
        }
        assertThat(step.reads()).hasSize(4);
        assertThat(step.writes()).containsExactly(out);
    }

    private static void assertRow(
            float[] got, int at, float[] q, float[] k, float[] v, int first, int columns, int valid, int headDim) {
        double[] weights = new double[valid];
        double error = 0;
        double most = 0;
        for (int p = 0; p < valid; p++) {
            double score = 0;
            double magnitude = 0;
            for (int c = 0; c < headDim; c++) {
                double product = (double) q[at + c] * k[first + p * columns + c] * SCALE;
                score += product;
                magnitude += Math.abs(product);
            }
            weights[p] = Math.exp(score);
            most = Math.max(most, Math.abs(score));
            error = Math.max(error, magnitude * (headDim + 4) * U);
        }
        double total = Arrays.stream(weights).sum();
        // values are at most 1; a weight is off by twice the error of scores; WGSL's exp by 3 + 2|x| units; sums add up
        double tolerance = 2 * error + 4 * U * (3 + 4 * most) + (valid + 16) * U;
        for (int c = 0; c < headDim; c++) {
            double expected = 0;
            for (int p = 0; p < valid; p++) {
                expected += weights[p] / total * v[first + p * columns + c];
            }
            assertThat((double) got[at + c]).as("element %d", at + c).isCloseTo(expected, within(tolerance));
        }
    }

    @Test
    void dimensions_outOfRange_areRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        assertThatThrownBy(() -> new FullAttention(a, b, b, b, 1, 1, 1, 12, 1, a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headDim: expected a multiple of 8 from 8 to 256, got 12");
        assertThatThrownBy(() -> new FullAttention(a, b, b, b, 1, 0, 1, 16, 1, a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected 1 or more sequences, rows and heads, got 1, 0 and 1");
        assertThatThrownBy(() -> new FullAttention(a, b, b, b, 1, 1, 1, 16, 1, b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected the queries or another value as output, got the keys or values"
                        + " node 2");
    }
}
