package io.devicearena.kernels.activation;

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
     * Computes the function.
     *
     * @param x any f32
     * @return the function's value, rounded from f64
     */
    public abstract float apply(float x);

    /**
     * Returns the function in WGSL.
     *
     * @return the text of {@code fn activation(x: f32) -> f32}, which needs no other text
     */
    public String wgsl() {
        return switch (this) {
            case GELU_TANH -> """
                    fn activation(x: f32) -> f32 {
                        let u = 0.7978845608028654 * x * (1.0 + 0.044715 * x * x);
                        return x * (1.0 - 1.0 / (exp(min(2.0 * u, 80.0)) + 1.0));
                    }
                    """;
            case GELU_ERF -> """
                    fn activation(x: f32) -> f32 {
                        let a = abs(x) * 0.7071067811865476;
                        let t = 1.0 / (1.0 + 0.3275911 * a);
                        let p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t
                            + 0.254829592) * t;
                        return 0.5 * x * (1.0 + sign(x) * (1.0 - p * exp(-a * a)));
                    }
                    """;
            case SILU -> """
                    fn activation(x: f32) -> f32 {
                        return x / (1.0 + exp(min(-x, 80.0)));
                    }
                    """;
        };
    }
}
