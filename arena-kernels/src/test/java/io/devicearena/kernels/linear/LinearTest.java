package io.devicearena.kernels.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Linear layers agree with f64: a sum of n products in any order is off by at most (n + 8) u of their magnitudes. */
class LinearTest {
    private static final double U = 0x1p-24;

    /** What the activation adds to the error, for values below 16. */
    private static final double ACTIVATION = 8e-6;

    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> shapes() {
        return Stream.of(Place.HOST, Place.SUBGROUPS)
                .flatMap(place -> Stream.of(
                        // type, mirrored, tokens, valid tokens, rows of the parts, columns
                        Arguments.of(place, TensorType.F32, false, 1, 1, new int[] {4}, 4),
                        Arguments.of(place, TensorType.F32, false, 5, 5, new int[] {36, 8, 12}, 384),
                        Arguments.of(place, TensorType.F16, false, 33, 30, new int[] {72}, 1028),
                        Arguments.of(place, TensorType.F32, true, 32, 32, new int[] {20, 52}, 600),
                        // small squares, and large ones
                        Arguments.of(place, TensorType.F32, false, 196, 150, new int[] {796, 68}, 36),
                        Arguments.of(place, TensorType.F16, false, 1030, 1030, new int[] {1540, 412}, 20)));
    }

    @ParameterizedTest(name = "{0} {1} mirrored {2}: {3} tokens, {4} valid, {5} rows x {6}")
    @MethodSource("shapes")
    void parts_areProductsWithBiasActivationAndSum(
            Place place, TensorType type, boolean isMirrored, int tokens, int valid, int[] rows, int columns) {
        float[] x = StepTrial.random(tokens * columns, 1);
        NodeId in = trial.floats(x);
        List<LinearPart> parts = new ArrayList<>();
        List<float[]> weights = new ArrayList<>();
        List<float[]> biases = new ArrayList<>();
        float[] added = StepTrial.random(tokens * rows[0], 2);
        for (int i = 0; i < rows.length; i++) {
            float[] floats = StepTrial.random(rows[i] * columns, 3 + i);
            weights.add(type == TensorType.F16 || isMirrored ? rounded(floats) : floats);
            biases.add(StepTrial.random(rows[i], 10 + i));
            LinearPart part = LinearPart.of(
                    trial.floats(new float[tokens * rows[i]]),
                    new Matrix(stored(weights.get(i), type, isMirrored), type, rows[i], columns, isMirrored),
                    trial.floats(biases.get(i)));
            parts.add(i == 0 ? part.activated(Activation.GELU_ERF).adding(trial.floats(added)) : part);
        }
        Linear step = new Linear(in, parts, tokens, valid == tokens ? null : trial.ints(9, valid, 0, 0));
        trial.run(place, List.of(step));
        for (int i = 0; i < rows.length; i++) {
            float[] got = trial.floatsOf(parts.get(i).out());
            for (int t = 0; t < valid; t += 1 + valid / 40) {
                for (int r = t % 3; r < rows[i]; r += 1 + rows[i] / 60) {
                    float plus = i == 0 ? added[t * rows[0] + r] : 0;
                    check(got[t * rows[i] + r], x, t, weights.get(i), r, columns, biases.get(i)[r], i == 0, plus);
                }
            }
        }
        assertThat(step.writes()).hasSize(rows.length);
        assertThat(step.reads()).contains(in).doesNotContainAnyElementsOf(step.writes());
    }

    private static void check(
            float got, float[] x, int t, float[] w, int r, int columns, float bias, boolean activated, float plus) {
        double sum = bias;
        double magnitude = Math.abs(bias);
        for (int c = 0; c < columns; c++) {
            double product = (double) x[t * columns + c] * w[r * columns + c];
            sum += product;
            magnitude += Math.abs(product);
        }
        double expected = (activated ? Activation.GELU_ERF.apply((float) sum) : sum) + plus;
        double tolerance = 1.2 * (columns + 8) * U * magnitude + (activated ? ACTIVATION : 0);
        Near.assertNear(got, expected, tolerance, "token %d, row %d", t, r);
    }

    private static float[] rounded(float[] floats) {
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.float16ToFloat(Float.floatToFloat16(floats[i]));
        }
        return floats;
    }

    private NodeId stored(float[] weights, TensorType type, boolean isMirrored) {
        if (type == TensorType.F32) {
            NodeId id = trial.floats(weights);
            if (isMirrored) {
                trial.mirror(id);
            }
            return id;
        }
        byte[] halves = new byte[2 * weights.length];
        for (int i = 0; i < weights.length; i++) {
            short half = Float.floatToFloat16(weights[i]);
            halves[2 * i] = (byte) half;
            halves[2 * i + 1] = (byte) (half >> 8);
        }
        return trial.bytes(halves);
    }

    @Test
    void fewBindings_eachPartIsADispatch() {
        trial.limit("maxStorageBindings", 8);
        float[] x = StepTrial.random(8 * 16, 1);
        NodeId in = trial.floats(x);
        float[] w = StepTrial.random(8 * 16, 2);
        List<LinearPart> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            parts.add(part(trial.floats(w), 8, 16, trial.floats(new float[8]), trial.floats(new float[64])));
        }
        trial.run(Place.SUBGROUPS, List.of(new Linear(in, parts, 8, null)));
        for (LinearPart part : parts) {
            check(trial.floatsOf(part.out())[8 + 5], x, 1, w, 5, 16, 0, false, 0);
        }
    }

    private static LinearPart part(NodeId weights, int rows, int columns, NodeId bias, NodeId out) {
        return LinearPart.of(out, new Matrix(weights, TensorType.F32, rows, columns), bias);
    }

    @Test
    void aMatrixLongerThanABinding_isRefused() {
        trial.limit("maxBindingBytes", 100L);
        NodeId w = trial.floats(new float[64]);
        NodeId in = trial.floats(new float[16]);
        Linear step = new Linear(
                in, List.of(part(w, 4, 16, trial.floats(new float[4]), trial.floats(new float[4]))), 1, null);
        assertThatThrownBy(() -> trial.run(Place.SUBGROUPS, List.of(step)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix " + w
                        + ": expected at most 100 bytes, the longest binding of the device, got 256; use Product");
    }

    @Test
    void aCursorWithoutRows_isRefusedOnTheHost() {
        NodeId cursor = trial.ints(0, 3, 0, 0);
        Linear step = linear(cursor, part(trial.floats(new float[16]), 4, 4, trial.floats(1, 1, 1, 1), node(2)));
        assertThatThrownBy(() -> trial.run(Place.HOST, List.of(step)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cursor " + cursor + ": expected a count of 1 to 2, got 3");
    }

    private NodeId node(int tokens) {
        return trial.floats(new float[4 * tokens]);
    }

    private Linear linear(@Nullable NodeId cursor, LinearPart... parts) {
        return new Linear(node(2), Arrays.asList(parts), 2, cursor);
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId a = NodeId.of(101);
        NodeId b = NodeId.of(102);
        NodeId c = NodeId.of(103);
        assertThatThrownBy(() -> part(a, 6, 8, b, c))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 101: expected rows and columns that are multiples of 4, got 6 x 8");
        assertThatThrownBy(() -> LinearPart.of(c, new Matrix(a, TensorType.Q8_0, 4, 32), b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 101: expected one of [F32, F16], got Q8_0; use Product");
        assertThatThrownBy(() -> part(a, 4, 8, b, c).adding(c))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("linear: expected another value as output than what is added, node 103");
        assertThatThrownBy(() -> new Linear(a, List.of(), 1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("linear of node 101: expected 1 to 3 parts, got 0");
        assertThatThrownBy(() -> new Linear(a, List.of(part(a, 4, 8, b, c)), 0, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rows of tokens: expected 1 or more, got 0");
        assertThatThrownBy(() -> new Linear(a, List.of(part(a, 4, 8, b, c), part(b, 4, 16, b, c)), 1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 102: expected 8 columns, as the first part has, got 16");
        assertThatThrownBy(() -> new Linear(c, List.of(part(a, 4, 8, b, c)), 1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("linear: expected another value as output than the input node 103");
    }
}
