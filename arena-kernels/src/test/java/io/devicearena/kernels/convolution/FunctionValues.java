package io.devicearena.kernels.convolution;

import io.devicearena.kernels.activation.ElementFunction;

/** The functions of elements in f64, for tests. */
public final class FunctionValues {
    private FunctionValues() {}

    /** The value of a function. */
    public static double of(ElementFunction function, double x) {
        double first = function.first();
        double second = function.second();
        return switch (function.kind()) {
            case NONE -> x;
            case RELU -> Math.max(x, 0);
            case LEAKY_RELU -> x < 0 ? first * x : x;
            case CLIP -> Math.min(Math.max(x, first), second);
            case SIGMOID -> 1 / (1 + Math.exp(-x));
            case TANH -> Math.tanh(x);
            case HARD_SIGMOID -> Math.min(Math.max(first * x + second, 0), 1);
            case HARD_SWISH -> x * Math.min(Math.max(x / 6 + 0.5, 0), 1);
            case SILU -> x / (1 + Math.exp(-x));
            case GELU_ERF -> x * (1 + erf(x / Math.sqrt(2))) / 2;
            case GELU_TANH -> x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x))) / 2;
        };
    }

    /** The error function by its integral. */
    private static double erf(double x) {
        int steps = 300;
        double end = Math.max(-6, Math.min(6, x));
        double sum = 0;
        for (int i = 0; i < steps; i++) {
            double t = (i + 0.5) * end / steps;
            sum += Math.exp(-t * t);
        }
        return 2 / Math.sqrt(Math.PI) * sum * end / steps;
    }
}
