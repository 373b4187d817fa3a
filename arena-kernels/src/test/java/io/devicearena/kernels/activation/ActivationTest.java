package io.devicearena.kernels.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.kernels.step.StepTrial;
import org.junit.jupiter.api.Test;

/** Activations agree with f64 arithmetic. */
class ActivationTest {
    /** Of values of at most 10: the error function's 1.5e-7 times half of 10, and some roundings. */
    private static final double TOLERANCE = 1e-5;

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

    @Test
    void activation_eachFunction_isThatOfItsDefinition() {
        for (Activation activation : Activation.values()) {
            for (float x : StepTrial.random(5_000, 1)) {
                assertThat((double) activation.apply(4 * x))
                        .as("%s of %f", activation, 4 * x)
                        .isCloseTo(exact(activation, 4 * x), within(TOLERANCE));
            }
        }
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
