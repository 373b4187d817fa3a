package io.devicearena.kernels.activation;

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
                float u = Math.max(-ERF_ONE, Math.min(ERF_ONE, x));
                float s = u * u;
                float p = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, P5, P4), P3), P2), P1), P0);
                float q = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Q5, Q4), Q3), Q2), Q1), 1);
                float half = 0.5f * x;
                values[i] = Math.fma(half, u * p / q, half);
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

    // erf(u / sqrt(2)) is u p(u^2) / q(u^2) within 1e-8 from -5.3 to 5.3, and 1 within 1.2e-7 beyond. The coefficients
    // are ours: a minimax fit by iterated least squares. All are positive, so nothing cancels.
    private static final float ERF_ONE = 5.3f;
    private static final float P0 = 0.7978845f;
    private static final float P1 = 0.06587177f;
    private static final float P2 = 0.009256001f;
    private static final float P3 = 3.2067124e-4f;
    private static final float P4 = 1.2758153e-5f;
    private static final float P5 = 4.8100514e-8f;
    private static final float Q1 = 0.24922425f;
    private static final float Q2 = 0.028138882f;
    private static final float Q3 = 0.0018365778f;
    private static final float Q4 = 7.1352726e-5f;
    private static final float Q5 = 1.2371681e-6f;

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
