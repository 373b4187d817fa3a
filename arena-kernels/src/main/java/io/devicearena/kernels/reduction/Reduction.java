package io.devicearena.kernels.reduction;

import io.devicearena.kernels.elementwise.BinaryOperation;

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

    /** Numbers that are combined one by one: loops for more take longer to begin. */
    private static final int FEW = 16;

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
        if (isSquared()) {
            BinaryOperation.MULTIPLY.apply(x, x, x, count);
        }
        operation().apply(results, x, results, count);
    }

    /** Combines all results with each other, with room for some: half with the other half, then the last few. */
    double combined(float[] results, float[] room, int count) {
        int left = count;
        while (left > FEW) {
            int half = (left + 1) / 2;
            System.arraycopy(results, half, room, 0, left - half);
            operation().apply(results, room, results, left - half);
            left = half;
        }
        double result = results[0];
        for (int i = 1; i < left; i++) {
            result = operation().apply(result, results[i]);
        }
        return result;
    }

    private BinaryOperation operation() {
        return switch (this) {
            case PRODUCT -> BinaryOperation.MULTIPLY;
            case MINIMUM -> BinaryOperation.MINIMUM;
            case MAXIMUM, ARG_MAX -> BinaryOperation.MAXIMUM;
            default -> BinaryOperation.ADD;
        };
    }

    /** The last operation, after all elements. */
    float finish(double result, long count) {
        return (float) (this == MEAN ? result / count : this == L2 ? Math.sqrt(result) : result);
    }
}
