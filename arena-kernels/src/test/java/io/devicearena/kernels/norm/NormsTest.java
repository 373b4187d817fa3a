package io.devicearena.kernels.norm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Norms agree with f64 arithmetic, in place and not. */
class NormsTest {
    private static final int ROWS = 3;
    private static final int COLUMNS = 643;

    /** A result of a few operations on values of at most 4, after sums in f32 with an error of 2^-18 of their size. */
    private static final double TOLERANCE = 4 * 0x1p-18;

    private final StepTrial trial = new StepTrial();
    private final float[] x = StepTrial.random(ROWS * COLUMNS, 1);
    private final float[] w = StepTrial.random(COLUMNS, 2);
    private final float[] b = StepTrial.random(COLUMNS, 3);
    private final NodeId in = trial.floats(x);
    private final NodeId out = trial.floats(new float[ROWS * COLUMNS]);
    private final NodeId weight = trial.floats(w);
    private final NodeId bias = trial.floats(b);

    private double mean(int row, double power, double from) {
        return Arrays.stream(rowOf(row)).map(v -> Math.pow(v - from, power)).sum() / COLUMNS;
    }

    private double[] rowOf(int row) {
        double[] values = new double[COLUMNS];
        Arrays.setAll(values, c -> x[row * COLUMNS + c]);
        return values;
    }

    private void assertClose(NodeId id, Expected expected) {
        float[] got = trial.floatsOf(id);
        for (int i = 0; i < got.length; i++) {
            Near.assertNear(got[i], expected.at(i / COLUMNS, i % COLUMNS), TOLERANCE, "element %d", i);
        }
    }

    private interface Expected {
        double at(int row, int column);
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void rmsNorm_itsRows_haveTheRootMeanSquareOfTheWeights(Place place) {
        trial.run(
                place,
                List.of(
                        new RmsNorm(out, in, weight, ROWS, COLUMNS, 1e-6f),
                        new RmsNorm(in, in, weight, ROWS, COLUMNS, 1e-6f)));

        Expected expected = (r, c) -> x[r * COLUMNS + c] / Math.sqrt(mean(r, 2, 0) + 1e-6f) * w[c];
        assertClose(out, expected);
        assertClose(in, expected);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void layerNorm_itsRows_haveTheMeanAndVarianceOfWeightAndBias(Place place) {
        trial.run(
                place,
                List.of(
                        new LayerNorm(out, in, weight, bias, ROWS, COLUMNS, 1e-5f, null),
                        new LayerNorm(in, in, weight, bias, ROWS, COLUMNS, 1e-5f, null)));

        Expected expected = (r, c) -> {
            double mean = mean(r, 1, 0);
            return (x[r * COLUMNS + c] - mean) / Math.sqrt(mean(r, 2, mean) + 1e-5f) * w[c] + b[c];
        };
        assertClose(out, expected);
        assertClose(in, expected);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void layerNorm_withoutWeights_hasTheMean0AndTheVariance1(Place place) {
        LayerNorm step = new LayerNorm(out, in, null, null, ROWS, COLUMNS, 1e-5f, null);
        trial.run(place, List.of(step));

        assertClose(out, (r, c) -> {
            double mean = mean(r, 1, 0);
            return (x[r * COLUMNS + c] - mean) / Math.sqrt(mean(r, 2, mean) + 1e-5f);
        });
        assertThat(step.reads()).containsExactly(in);
        assertThatThrownBy(() -> new LayerNorm(out, in, weight, null, ROWS, COLUMNS, 1e-5f, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "layer-norm of " + in + ": expected a weight and a bias or none, got " + weight + " and null");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void layerNorm_rowsBeyondTheCursor_areNotWritten(Place place) {
        NodeId cursor = trial.ints(0, 2, 0, 0);
        LayerNorm step = new LayerNorm(out, in, weight, bias, ROWS, COLUMNS, 1e-5f, cursor);
        trial.run(place, List.of(step));

        float[] got = trial.floatsOf(out);
        assertThat(got[COLUMNS]).isNotZero();
        assertThat(Arrays.copyOfRange(got, 2 * COLUMNS, 3 * COLUMNS)).containsOnly(0);
        assertThat(step.reads()).containsExactly(in, weight, bias, cursor);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void softmax_itsRows_areProbabilities(Place place) {
        List<Long> shape = List.of((long) ROWS, (long) COLUMNS);
        trial.run(place, List.of(new Softmax(out, in, shape, 1, false), new Softmax(in, in, shape, -1, false)));

        Expected expected = (r, c) -> Math.exp(x[r * COLUMNS + c])
                / Arrays.stream(rowOf(r)).map(Math::exp).sum();
        float[] got = trial.floatsOf(out);
        for (int i = 0; i < got.length; i++) {
            double want = expected.at(i / COLUMNS, i % COLUMNS);
            Near.assertNear(got[i], want, want * TOLERANCE, "element %d", i);
        }
        assertThat(trial.floatsOf(in)).isEqualTo(got);
    }

    /** [outer][columns][inner], in place and not, as a distribution and as its logarithm. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void softmax_anyAxis_isThatOfItsElements(Place place) {
        List<Long> shape = List.of((long) ROWS, (long) COLUMNS);
        trial.limit("maxWorkgroups", 100);
        NodeId logarithms = trial.floats(new float[ROWS * COLUMNS]);
        trial.run(
                place,
                List.of(
                        new Softmax(out, in, shape, 0, false),
                        new Softmax(logarithms, in, shape, 0, true),
                        new Softmax(in, in, shape, -2, true)));

        for (int i = 0; i < ROWS * COLUMNS; i++) {
            double sum = 0;
            for (int r = 0; r < ROWS; r++) {
                sum += Math.exp(x[r * COLUMNS + i % COLUMNS]);
            }
            double share = Math.exp(x[i]) / sum;
            assertThat((double) trial.floatsOf(out)[i]).isCloseTo(share, within(share * TOLERANCE));
            assertThat((double) trial.floatsOf(logarithms)[i]).isCloseTo(Math.log(share), within(TOLERANCE));
        }
        assertThat(trial.floatsOf(in)).isEqualTo(trial.floatsOf(logarithms));
    }
}
