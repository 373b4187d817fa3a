package io.devicearena.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
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
        return Place.withoutCuda().stream()
                .flatMap(place -> Stream.of(
                        // rows, heads, elements, in place, lengths of sequences
                        Arguments.of(place, 50, 3, 32, false, new int[] {37, 1, 5}),
                        Arguments.of(place, 103, 2, 64, true, new int[] {33, 70}),
                        Arguments.of(place, 40, 1, 256, false, new int[] {40}),
                        Arguments.of(place, 9, 2, 8, true, new int[] {1, 2, 3, 1})));
    }

    /** The spans of sequences that lie one behind the other; 0 for rows behind them. */
    private static int[] spans(int rows, int... lengths) {
        int[] spans = new int[2 * rows];
        int first = 0;
        for (int length : lengths) {
            for (int row = first; row < first + length; row++) {
                spans[2 * row] = first;
                spans[2 * row + 1] = first + length;
            }
            first += length;
        }
        return spans;
    }

    @ParameterizedTest(name = "{0}: {1} rows, {2} heads of {3}, in place {4}, sequences {5}")
    @MethodSource("cases")
    void validRows_seeTheirSequence(Place place, int rows, int heads, int headDim, boolean inPlace, int[] lengths) {
        int columns = heads * headDim;
        int count = rows * columns;
        float[] q = StepTrial.random(count, 1);
        float[] k = StepTrial.random(count, 2);
        float[] v = StepTrial.random(count, 3);
        StepTrial trial = new StepTrial();
        NodeId queries = trial.floats(q);
        NodeId out = inPlace ? queries : trial.floats(new float[count]);
        int[] spans = spans(rows, lengths);
        int valid = Arrays.stream(lengths).sum();
        FullAttention step = new FullAttention(
                out,
                queries,
                trial.floats(k),
                trial.floats(v),
                new FullAttention.Sequences(trial.ints(spans), valid == rows ? null : trial.ints(7, valid, 0, 0)),
                new FullAttention.Shape(rows, heads, headDim, SCALE));
        trial.run(place, List.of(step));

        float[] got = trial.floatsOf(out);
        float[] before = inPlace ? q : new float[count];
        for (int i = 0; i < rows * heads; i++) {
            int row = i / heads;
            int at = i * headDim;
            if (row >= valid) {
                assertThat(Arrays.copyOfRange(got, at, at + headDim))
                        .isEqualTo(Arrays.copyOfRange(before, at, at + headDim));
            } else {
                int first = (spans[2 * row] * heads + i % heads) * headDim;
                assertRow(got, at, q, k, v, first, columns, spans[2 * row + 1] - spans[2 * row], headDim);
            }
        }
        assertThat(step.reads()).hasSize(valid == rows ? 4 : 5);
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
            Near.assertNear(got[at + c], expected, tolerance, "element %d", at + c);
        }
    }

    @Test
    void dimensions_outOfRange_areRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        assertThatThrownBy(() -> new FullAttention.Shape(1, 1, 12, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headDim: expected a multiple of 8 from 8 to 256, got 12");
        assertThatThrownBy(() -> new FullAttention.Shape(0, 1, 16, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected 1 or more rows and heads, got 0 and 1");
        assertThatThrownBy(() -> new FullAttention(
                        b, a, b, b, new FullAttention.Sequences(b, null), new FullAttention.Shape(1, 1, 16, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected the queries or another value as output, got the keys or values"
                        + " node 2");
    }

    @Test
    void spansThatLeaveARowOut_areRefusedOnTheHost() {
        StepTrial trial = new StepTrial();
        NodeId x = trial.floats(new float[16]);
        NodeId y = trial.floats(new float[16]);
        FullAttention step = new FullAttention(
                x,
                x,
                y,
                y,
                new FullAttention.Sequences(trial.ints(0, 1, 0, 1), null),
                new FullAttention.Shape(2, 1, 8, 1));
        assertThatThrownBy(() -> trial.run(Place.HOST, List.of(step)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spans: expected that row 1 of 2 sees itself, and rows that are valid, got rows 0 to 1");
    }

    @Test
    void exp_ofTheHost_isWithinTwoTenMillionths() {
        float[] x = new float[100_000];
        for (int i = 0; i < x.length; i++) {
            x[i] = -i * 1e-3f;
        }
        float[] exp = x.clone();
        AttentionBlock.exp(exp, exp.length);
        for (int i = 0; i < x.length; i++) {
            Near.assertNear(exp[i], Math.exp(x[i]), 2e-7, "exp(%s)", x[i]);
        }
    }
}
