package io.devicearena.kernels.activation;

import io.devicearena.kernels.step.FloatFunctions;
import java.util.Locale;

/**
 * A function of each element of a value.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Activation {
    /**
     * The Gaussian error linear unit by its approximation with tanh.
     *
     * <p><b>Source:</b> D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, section 2.
     */
    GELU_TANH {
        @Override
        public float apply(float x) {
            // tanh(u) = 1 - 2 / (exp(2u) + 1), which is exact at both ends
            double u = SQRT_2_OVER_PI * x * (1 + CUBIC * x * x);
            return (float) (x * (1 - 1 / (Math.exp(2 * u) + 1)));
        }
    },
    /**
     * The Gaussian error linear unit with the error function, which is computed within 1.5e-7.
     *
     * <p><b>Source:</b> Hendrycks and Gimpel, section 2; M. Abramowitz and I. Stegun, Handbook of Mathematical
     * Functions, 7.1.26.
     */
    GELU_ERF {
        @Override
        public float apply(float x) {
            double a = Math.abs(x) * Math.sqrt(0.5);
            double t = 1 / (1 + 0.3275911 * a);
            double p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
            return (float) (0.5 * x * (1 + Math.signum(x) * (1 - p * Math.exp(-a * a))));
        }

        @Override
        public void apply(float[] values, int count) {
            for (int i = 0; i < count; i++) {
                float x = values[i];
                float half = 0.5f * x;
                values[i] = Math.fma(half, FloatFunctions.erfOfRoots(x), half);
            }
        }
    },
    /** The sigmoid linear unit: x / (1 + exp(-x)). */
    SILU {
        @Override
        public float apply(float x) {
            return (float) (x / (1 + Math.exp(-(double) x)));
        }
    };

    private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);
    private static final double CUBIC = 0.044715;

    /**
     * Computes the function of floats, in place.
     *
     * <p>{@link #GELU_ERF} does it in f32, in a loop that HotSpot vectorises: within 2.5e-7 times the larger of 1 and
     * the absolute value. The others do what {@link #apply(float)} does.
     *
     * @param values any floats; the first {@code count} are replaced
     * @param count 0 to their number
     * @throws IndexOutOfBoundsException if there are fewer values
     */
    public void apply(float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = apply(values[i]);
        }
    }

    /**
     * Computes the function.
     *
     * @param x any f32
     * @return the function's value, rounded from f64
     */
    public abstract float apply(float x);

    /**
     * Returns the file of the function for kernels.
     *
     * @return its name below the root of all kernels; it declares {@code fn activation_M(x: f32) -> f32}
     */
    public String file() {
        return "activation/" + name().toLowerCase(Locale.ROOT);
    }
}
