package io.devicearena.kernels.activation;

import io.devicearena.kernels.step.FloatFunctions;

/**
 * Functions of floats in loops that HotSpot vectorises: each loop has one array and no call that is not inlined.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class FunctionLoops {
    private static final float SQRT_2_OVER_PI = 0.7978846f;
    private static final float CUBIC = 0.044715f;
    private static final float SIXTH = 1 / 6f;

    private FunctionLoops() {}

    /** Replaces the floats from an index to another. */
    static void apply(ElementFunction function, float[] v, int from, int to) {
        float a = function.first();
        float b = function.second();
        switch (function.kind()) {
            case NONE -> {}
            case RELU -> clip(v, from, to, 0, Float.POSITIVE_INFINITY);
            case LEAKY_RELU -> leakyRelu(v, from, to, a);
            case CLIP -> clip(v, from, to, a, b);
            case SIGMOID -> sigmoid(v, from, to);
            case TANH -> hyperbolic(v, from, to);
            case HARD_SIGMOID -> hardSigmoid(v, from, to, a, b);
            case HARD_SWISH -> hardSwish(v, from, to);
            case SILU -> silu(v, from, to);
            case GELU_ERF -> gelu(v, from, to);
            case GELU_TANH -> geluByTanh(v, from, to);
        }
    }

    private static void clip(float[] v, int from, int to, float least, float most) {
        for (int i = from; i < to; i++) {
            v[i] = Math.min(Math.max(v[i], least), most);
        }
    }

    private static void leakyRelu(float[] v, int from, int to, float slope) {
        for (int i = from; i < to; i++) {
            v[i] = Math.max(v[i], 0) + slope * Math.min(v[i], 0);
        }
    }

    private static void hardSigmoid(float[] v, int from, int to, float slope, float offset) {
        for (int i = from; i < to; i++) {
            v[i] = Math.min(Math.max(Math.fma(slope, v[i], offset), 0), 1);
        }
    }

    private static void hardSwish(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            v[i] *= Math.min(Math.max(Math.fma(SIXTH, v[i], 0.5f), 0), 1);
        }
    }

    private static void hyperbolic(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            v[i] = FloatFunctions.tanh(v[i]);
        }
    }

    private static void sigmoid(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            v[i] = FloatFunctions.sigmoid(v[i]);
        }
    }

    private static void silu(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            float half = 0.5f * v[i];
            v[i] = Math.fma(half, FloatFunctions.tanh(half), half);
        }
    }

    private static void geluByTanh(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            float x = v[i];
            float half = 0.5f * x;
            v[i] = Math.fma(half, FloatFunctions.tanh(SQRT_2_OVER_PI * x * Math.fma(CUBIC * x, x, 1)), half);
        }
    }

    private static void gelu(float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            float x = v[i];
            float half = 0.5f * x;
            v[i] = Math.fma(half, FloatFunctions.erfOfRoots(x), half);
        }
    }
}
