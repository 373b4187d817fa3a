package io.devicearena.kernels.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps on single elements agree with f64 arithmetic, in place and not. */
class ElementStepsTest {
    private static final int ELEMENTS = 1001;

    /** Of values of at most 10: the error function's 1.5e-7 times half of 10, and some roundings. */
    private static final double TOLERANCE = 1e-5;

    private final StepTrial trial = new StepTrial();
    private final float[] a = new float[ELEMENTS];
    private final float[] b = StepTrial.random(ELEMENTS, 2);

    ElementStepsTest() {
        for (int i = 0; i < ELEMENTS; i++) {
            a[i] = (i - 500) / 50f;
        }
    }

    /** The functions by their definitions; the error function by its integral. */
    private static double exact(Activation activation, double x) {
        return switch (activation) {
            case GELU_TANH -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
            case GELU_ERF -> x * (0.5 + normalBetween0And(x));
            case SILU -> x / (1 + Math.exp(-x));
        };
    }

    /** Simpson's rule with 2,000 intervals, whose error is below 1e-9 up to 10. */
    private static double normalBetween0And(double x) {
        int intervals = 2000;
        double h = x / intervals;
        double sum = 0;
        for (int i = 0; i <= intervals; i++) {
            double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * Math.exp(-0.5 * i * h * i * h);
        }
        return sum * h / 3 / Math.sqrt(2 * Math.PI);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void activateAndGate_eachFunction_isThatOfItsDefinition(Place place) {
        for (Activation activation : Activation.values()) {
            StepTrial each = new StepTrial();
            NodeId in = each.floats(a);
            NodeId up = each.floats(b);
            NodeId activated = each.floats(new float[ELEMENTS]);
            each.run(
                    place,
                    List.of(
                            new Activate(activated, in, ELEMENTS, activation),
                            new Gate(in, in, up, ELEMENTS, activation)));

            for (int i = 0; i < ELEMENTS; i++) {
                double want = exact(activation, a[i]);
                assertThat((double) each.floatsOf(activated)[i])
                        .as("%s of %f", activation, a[i])
                        .isCloseTo(want, within(TOLERANCE));
                assertThat((double) each.floatsOf(in)[i]).isCloseTo(want * b[i], within(TOLERANCE));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void add_itsSum_isTheRoundedOne(Place place) {
        NodeId first = trial.floats(a);
        NodeId second = trial.floats(b);
        NodeId out = trial.floats(new float[ELEMENTS]);
        trial.run(place, List.of(new Add(out, first, second, ELEMENTS), new Add(first, first, second, ELEMENTS)));

        float[] sum = new float[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            sum[i] = a[i] + b[i];
        }
        assertThat(trial.floatsOf(out)).isEqualTo(sum);
        assertThat(trial.floatsOf(first)).isEqualTo(sum);
    }

    @Test
    void add_intoTheSecondInput_isRefused() {
        NodeId a1 = NodeId.of(1);
        NodeId b1 = NodeId.of(2);
        assertThatThrownBy(() -> new Add(b1, a1, b1, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("add: expected the first input or another value as output, got the second input node 2");
    }

    @Test
    void geluOfFloats_isWithinAQuarterOfAMillionth() {
        float[] x = new float[400_001];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i - 200_000) * 1e-4f;
        }
        x[0] = Float.NaN;
        float[] y = x.clone();
        Activation.GELU_ERF.apply(y, y.length);
        assertThat(y[0]).isNaN();
        for (int i = 1; i < x.length; i++) {
            // the scalar function has an error of erf of 1.5e-7
            double bound = (2.5e-7 + 0.75e-7) * Math.max(1, Math.abs(x[i]));
            assertThat((double) y[i]).as("gelu(%s)", x[i]).isCloseTo(Activation.GELU_ERF.apply(x[i]), within(bound));
        }
    }
}
