package io.devicearena.kernels.activation;

import java.util.Objects;

/**
 * A function of each element that other steps compute with their results, and its numbers.
 *
 * <p>On the host the functions with an exponential are rational approximations in f32, in loops that HotSpot
 * vectorises: tanh within 4e-7, sigmoid within 3e-7, the others within 5e-7 times the larger of 1 and the absolute
 * value. A NaN has no defined result.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the operators of the same names of ONNX, opset 20.
 *
 * @param kind which function
 * @param first the first number of the function, finite; 0 if it has none
 * @param second the second number of the function, finite; 0 if it has none
 */
public record ElementFunction(Kind kind, float first, float second) {
    /** The function that changes nothing. */
    public static final ElementFunction NONE = of(Kind.NONE);

    /** max(x, 0). */
    public static final ElementFunction RELU = of(Kind.RELU);

    /**
     * The functions.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Kind {
        /** x. */
        NONE,
        /** max(x, 0). */
        RELU,
        /** x, or {@code first} times x if x is negative. */
        LEAKY_RELU,
        /** min(max(x, {@code first}), {@code second}). */
        CLIP,
        /** 1 / (1 + exp(-x)). */
        SIGMOID,
        /** tanh(x). */
        TANH,
        /** min(max({@code first} x + {@code second}, 0), 1). */
        HARD_SIGMOID,
        /** x min(max(x / 6 + 1/2, 0), 1). */
        HARD_SWISH,
        /** x / (1 + exp(-x)). */
        SILU,
        /** x (1 + erf(x / sqrt(2))) / 2. */
        GELU_ERF,
        /** The approximation of {@link #GELU_ERF} with tanh. */
        GELU_TANH
    }

    /** Checks that the numbers are finite. */
    public ElementFunction {
        Objects.requireNonNull(kind, "kind");
        if (!Float.isFinite(first) || !Float.isFinite(second)) {
            throw new IllegalArgumentException(kind + ": expected finite numbers, got " + first + " and " + second);
        }
    }

    /**
     * Returns a function without numbers.
     *
     * @param kind which function
     * @return the function
     */
    public static ElementFunction of(Kind kind) {
        return new ElementFunction(kind, 0, 0);
    }

    /**
     * Returns the function that limits an element to a range.
     *
     * @param least the smallest result, finite
     * @param most the largest result, finite
     * @return the function
     */
    public static ElementFunction clip(float least, float most) {
        return new ElementFunction(Kind.CLIP, least, most);
    }

    /**
     * Computes the function of an element.
     *
     * @param x any f32
     * @return the function's value
     */
    public float apply(float x) {
        float[] one = {x};
        apply(one, 0, 1);
        return one[0];
    }

    /**
     * Computes the function of floats, in place.
     *
     * @param values any floats
     * @param from the index of the first float to replace
     * @param count how many are replaced
     * @throws IndexOutOfBoundsException if there are fewer values
     */
    public void apply(float[] values, int from, int count) {
        Objects.checkFromIndexSize(from, count, values.length);
        FunctionLoops.apply(this, values, from, from + count);
    }
}
