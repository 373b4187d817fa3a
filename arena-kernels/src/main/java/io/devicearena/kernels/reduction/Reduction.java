package io.devicearena.kernels.reduction;

/**
 * What becomes of the elements of some axes.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Reduction {
    /** Their sum. */
    SUM("sum"),
    /** Their sum, divided by their number. */
    MEAN("sum"),
    /** The sum of their squares. */
    SUM_OF_SQUARES("sum"),
    /** The root of the sum of their squares. */
    L2("sum"),
    /** Their product. */
    PRODUCT("product"),
    /** The largest. */
    MAXIMUM("maximum"),
    /** The smallest. */
    MINIMUM("minimum"),
    /** The number of the largest, the first of equal ones: an I32. Axes count together, the last one fastest. */
    ARG_MAX("arg-max");

    /** The kernel's file. */
    final String file;

    Reduction(String file) {
        this.file = "reduction/" + file;
    }

    boolean isSquared() {
        return this == SUM_OF_SQUARES || this == L2;
    }

    /** The result for no elements. */
    float start() {
        return switch (this) {
            case PRODUCT -> 1;
            case MAXIMUM, ARG_MAX -> Float.NEGATIVE_INFINITY;
            case MINIMUM -> Float.POSITIVE_INFINITY;
            default -> 0;
        };
    }

    /** Combines results with elements, one by one. */
    void combine(float[] results, float[] x, int count) {
        switch (this) {
            case SUM, MEAN -> add(results, x, count);
            case SUM_OF_SQUARES, L2 -> addSquares(results, x, count);
            case PRODUCT -> multiply(results, x, count);
            case MINIMUM -> min(results, x, count);
            case MAXIMUM, ARG_MAX -> max(results, x, count);
        }
    }

    /** Combines two results. */
    double combine(double a, double b) {
        return switch (this) {
            case PRODUCT -> a * b;
            case MINIMUM -> Math.min(a, b);
            case MAXIMUM, ARG_MAX -> Math.max(a, b);
            default -> a + b;
        };
    }

    /** The last operation, after all elements. */
    float finish(double result, long count) {
        return (float) (this == MEAN ? result / count : this == L2 ? Math.sqrt(result) : result);
    }

    private static void add(float[] results, float[] x, int count) {
        for (int i = 0; i < count; i++) {
            results[i] += x[i];
        }
    }

    private static void addSquares(float[] results, float[] x, int count) {
        for (int i = 0; i < count; i++) {
            results[i] = Math.fma(x[i], x[i], results[i]);
        }
    }

    private static void multiply(float[] results, float[] x, int count) {
        for (int i = 0; i < count; i++) {
            results[i] *= x[i];
        }
    }

    private static void min(float[] results, float[] x, int count) {
        for (int i = 0; i < count; i++) {
            results[i] = Math.min(results[i], x[i]);
        }
    }

    private static void max(float[] results, float[] x, int count) {
        for (int i = 0; i < count; i++) {
            results[i] = Math.max(results[i], x[i]);
        }
    }
}
