package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operation on two elements of one type: floats or integers, if nothing else is said.
 *
 * <p><b>Threads:</b> immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum BinaryOperation {
    /** a + b. */
    ADD("(%s + %s)", (a, b) -> a + b, (a, b) -> a + b),
    /** a - b. */
    SUBTRACT("(%s - %s)", (a, b) -> a - b, (a, b) -> a - b),
    /** a * b. */
    MULTIPLY("(%s * %s)", (a, b) -> a * b, (a, b) -> a * b),
    /** a / b; of integers rounded toward 0, and a where b is 0. */
    DIVIDE("(%s / %s)", (a, b) -> a / b, (a, b) -> b == 0 ? a : a / b),
    /** The smaller one. */
    MINIMUM("min(%s, %s)", Math::min, Math::min),
    /** The larger one. */
    MAXIMUM("max(%s, %s)", Math::max, Math::max),
    /** Floats: a to the power of b. A base below 0 has a defined result if b is a whole number. */
    POWER("power(%s, %s)", Math::pow, null),
    /** The rest of a / b with the sign of a; of integers 0 where b is 0. */
    REMAINDER("(%s %% %s)", (a, b) -> a % b, (a, b) -> b == 0 ? 0 : a % b),
    /** The rest of a / b with the sign of b; of integers a where b is 0. */
    MODULO("modulo(%s, %s)", (a, b) -> a - b * Math.floor(a / b), (a, b) -> b == 0 ? a : Math.floorMod(a, b)),
    /** 1 if a is equal to b, else 0. */
    EQUAL("i32(%s == %s)", (a, b) -> a == b ? 1 : 0, (a, b) -> a == b ? 1 : 0),
    /** 1 if a is less than b, else 0. */
    LESS("i32(%s < %s)", (a, b) -> a < b ? 1 : 0, (a, b) -> a < b ? 1 : 0),
    /** 1 if a is less than b or equal, else 0. */
    LESS_OR_EQUAL("i32(%s <= %s)", (a, b) -> a <= b ? 1 : 0, (a, b) -> a <= b ? 1 : 0),
    /** Integers: 1 if none is 0, else 0. */
    AND("i32(%s != 0 && %s != 0)", null, (a, b) -> a != 0 && b != 0 ? 1 : 0),
    /** Integers: 1 if one is not 0, else 0. */
    OR("i32(%s != 0 || %s != 0)", null, (a, b) -> a != 0 || b != 0 ? 1 : 0);

    private final String wgsl;
    private final @Nullable DoubleBinaryOperator floats;
    private final @Nullable IntBinaryOperator ints;

    BinaryOperation(String wgsl, @Nullable DoubleBinaryOperator floats, @Nullable IntBinaryOperator ints) {
        this.wgsl = wgsl;
        this.floats = floats;
        this.ints = ints;
    }

    boolean isComparison() {
        return switch (this) {
            case EQUAL, LESS, LESS_OR_EQUAL, AND, OR -> true;
            default -> false;
        };
    }

    /**
     * Returns whether the operation is one of a type.
     *
     * @param type of its operands
     * @return whether an expression with it can be made
     */
    public boolean accepts(Expression.Type type) {
        return (type == Expression.Type.F32 ? floats : ints) != null;
    }

    /** The expression for operands of a type. */
    String wgsl(String a, String b, Expression.Type type) {
        String text = this == MODULO && type == Expression.Type.I32 ? "modulo_of_integers(%s, %s)" : wgsl;
        return String.format(Locale.ROOT, text, a, b);
    }

    /**
     * Computes floats of floats, the frequent ones in loops that HotSpot vectorises: f64 gives the same results. It
     * does not where an index differs from another by a number that it does not know, so all arrays begin at index 0.
     *
     * @param a the first operands
     * @param b the second operands
     * @param to receives the results; it may be {@code a} or {@code b}
     * @param count how many, 0 or more
     */
    public void apply(float[] a, float[] b, float[] to, int count) {
        switch (this) {
            case ADD -> add(a, b, to, count);
            case SUBTRACT -> subtract(a, b, to, count);
            case MULTIPLY -> multiply(a, b, to, count);
            case DIVIDE -> divide(a, b, to, count);
            case MINIMUM -> min(a, b, to, count);
            case MAXIMUM -> max(a, b, to, count);
            default -> {
                DoubleBinaryOperator operation = requireNonNull(floats);
                for (int i = 0; i < count; i++) {
                    to[i] = (float) operation.applyAsDouble(a[i], b[i]);
                }
            }
        }
    }

    /**
     * Computes a number of two that are floats.
     *
     * @param a the first operand
     * @param b the second operand
     * @return the result, not rounded to a float
     */
    public double apply(double a, double b) {
        return requireNonNull(floats).applyAsDouble(a, b);
    }

    /** Compares floats. */
    void compare(float[] a, float[] b, int[] to, int count) {
        DoubleBinaryOperator operation = requireNonNull(floats);
        for (int i = 0; i < count; i++) {
            to[i] = (int) operation.applyAsDouble(a[i], b[i]);
        }
    }

    /** Computes integers of integers. */
    void apply(int[] a, int[] b, int[] to, int count) {
        IntBinaryOperator operation = requireNonNull(ints);
        for (int i = 0; i < count; i++) {
            to[i] = operation.applyAsInt(a[i], b[i]);
        }
    }

    private static void add(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = a[i] + b[i];
        }
    }

    private static void subtract(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = a[i] - b[i];
        }
    }

    private static void multiply(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = a[i] * b[i];
        }
    }

    private static void divide(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = a[i] / b[i];
        }
    }

    private static void min(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Math.min(a[i], b[i]);
        }
    }

    private static void max(float[] a, float[] b, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Math.max(a[i], b[i]);
        }
    }
}
