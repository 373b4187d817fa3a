package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.kernels.step.FloatFunctions;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one element. Floats, if nothing else is said.
 *
 * <p><b>Threads:</b> immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum UnaryOperation {
    /** The absolute value; of integers too. */
    ABS("abs(%s)", Math::abs, Math::abs),
    /** The value with the other sign; of integers too. */
    NEGATE("-(%s)", x -> -x, x -> -x),
    /** -1, 0 or 1; of integers too. */
    SIGN("sign(%s)", Math::signum, Integer::signum),
    /** The root of a float of 0 or more. */
    SQRT("sqrt(%s)", Math::sqrt, null),
    /**
     * The exponential function, within 2e-7 of the result from -87 to 88.7 on the host, and as at these ends beyond.
     */
    EXP("exp(%s)", x -> FloatFunctions.exp((float) x), null),
    /** The natural logarithm of a float above 0. */
    LOG("log(%s)", Math::log, null),
    /** The sine. */
    SIN("sin(less_turns(%s))", Math::sin, null),
    /** The cosine. */
    COS("cos(less_turns(%s))", Math::cos, null),
    /** The hyperbolic tangent, within 3e-7. */
    TANH("tangent(%s)", x -> FloatFunctions.tanh((float) x), null),
    /** 1 / (1 + exp(-x)), within 2.4e-7. */
    SIGMOID("sigmoid(%s)", x -> FloatFunctions.sigmoid((float) x), null),
    /** The error function, within 2.4e-7. */
    ERF("error_function(%s)", x -> FloatFunctions.erf((float) x), null),
    /** The next whole number that is not larger. */
    FLOOR("floor(%s)", Math::floor, null),
    /** The next whole number that is not smaller. */
    CEIL("ceil(%s)", Math::ceil, null),
    /** The nearest whole number, of two the even one. */
    ROUND("round(%s)", Math::rint, null),
    /** 1 where an integer is 0, else 0. */
    NOT("i32(%s == 0)", null, x -> x == 0 ? 1 : 0),
    /** The integer of a float, rounded toward 0. Beyond the range of integers the nearest one. */
    TO_I32("i32(%s)", x -> x, null),
    /** The float nearest to an integer. */
    TO_F32("f32(%s)", null, x -> x);

    /** The expression, with a place for the operand. */
    final String wgsl;

    private final @Nullable DoubleUnaryOperator floats;
    private final @Nullable IntUnaryOperator ints;

    UnaryOperation(String wgsl, @Nullable DoubleUnaryOperator floats, @Nullable IntUnaryOperator ints) {
        this.wgsl = wgsl;
        this.floats = floats;
        this.ints = ints;
    }

    /**
     * Returns whether the operation is one of a type.
     *
     * @param type of its operand
     * @return whether an expression with it can be made
     */
    public boolean accepts(Expression.Type type) {
        return (type == Expression.Type.F32 ? floats : ints) != null;
    }

    Expression.Type result(Expression.Type operand) {
        return this == TO_I32 ? Expression.Type.I32 : this == TO_F32 ? Expression.Type.F32 : operand;
    }

    /** Computes floats of floats: the frequent ones in loops that HotSpot vectorises. */
    void apply(float[] x, float[] to, int count) {
        switch (this) {
            case EXP -> exp(x, to, count);
            case TANH -> tanh(x, to, count);
            case SIGMOID -> sigmoid(x, to, count);
            case ERF -> erf(x, to, count);
            default -> {
                DoubleUnaryOperator operation = requireNonNull(floats);
                for (int i = 0; i < count; i++) {
                    to[i] = (float) operation.applyAsDouble(x[i]);
                }
            }
        }
    }

    /** Computes integers of integers. */
    void apply(int[] x, int[] to, int count) {
        IntUnaryOperator operation = requireNonNull(ints);
        for (int i = 0; i < count; i++) {
            to[i] = operation.applyAsInt(x[i]);
        }
    }

    private static void exp(float[] x, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = FloatFunctions.exp(x[i]);
        }
    }

    private static void tanh(float[] x, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = FloatFunctions.tanh(x[i]);
        }
    }

    private static void sigmoid(float[] x, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = FloatFunctions.sigmoid(x[i]);
        }
    }

    private static void erf(float[] x, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = FloatFunctions.erf(x[i]);
        }
    }
}
