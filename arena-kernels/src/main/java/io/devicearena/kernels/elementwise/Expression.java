package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.shape.Strided;
import java.util.List;
import java.util.function.Function;

/**
 * What a step computes for each element: a small tree of operations on values and on numbers. {@link Elementwise} has
 * one, and convolutions and matrix products have one of their sums.
 *
 * <pre>{@code
 * Expression x = Expression.floats(in, shape);
 * Expression swish = x.apply(UnaryOperation.SIGMOID).times(x);          // an equal part is computed once
 * Expression sum = x.plus(Expression.floats(other, List.of(1L))).clipped(0, 6);
 * Expression end = Expression.sum().plus(Expression.floats(bias, List.of(channels, 1L, 1L)));
 * }</pre>
 *
 * <p>Elements are floats or integers with a sign, both of 32 bits. A condition is an integer: comparisons give 1 or 0,
 * and all but 0 is true.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface Expression {
    /**
     * The type of an element.
     *
     * <p><b>Threads:</b> immutable.
     */
    enum Type {
        /** A float of 32 bits. */
        F32,
        /** An integer of 32 bits with a sign, or a condition. */
        I32
    }

    /** {@return the type of its result} */
    Type type();

    /**
     * The sum of products, a float.
     *
     * <p><b>Threads:</b> immutable.
     */
    record Sum() implements Expression {
        @Override
        public Type type() {
            return Type.F32;
        }
    }

    /**
     * An element of a value: that at the place of the result, to whose shape the value is broadcast.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param value what is read, and how
     * @param type of its elements
     */
    record Input(Strided value, Type type) implements Expression {}

    /**
     * A number.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param bits of an F32 or I32
     * @param type its type
     */
    record Constant(int bits, Type type) implements Expression {}

    /**
     * An operation on one operand.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param operation what is computed
     * @param x the operand
     */
    record Unary(UnaryOperation operation, Expression x) implements Expression {
        /** Checks the type of the operand. */
        public Unary {
            if (!operation.accepts(x.type())) {
                throw new IllegalArgumentException(operation + ": expected an operand of its type, got " + x.type());
            }
        }

        @Override
        public Type type() {
            return operation.result(x.type());
        }
    }

    /**
     * An operation on two operands of one type.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param operation what is computed
     * @param a the first operand
     * @param b the second operand
     */
    record Binary(BinaryOperation operation, Expression a, Expression b) implements Expression {
        /** Checks the types of the operands. */
        public Binary {
            if (a.type() != b.type() || !operation.accepts(a.type())) {
                throw new IllegalArgumentException(
                        operation + ": expected two operands of its type, got " + a.type() + " and " + b.type());
            }
        }

        @Override
        public Type type() {
            return operation.isComparison() ? Type.I32 : a.type();
        }
    }

    /**
     * One of two operands.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param condition chooses {@code yes} if it is not 0
     * @param yes an operand
     * @param no an operand of the same type
     */
    record Select(Expression condition, Expression yes, Expression no) implements Expression {
        /** Checks the types of the operands. */
        public Select {
            if (condition.type() != Type.I32 || yes.type() != no.type()) {
                throw new IllegalArgumentException(
                        "select: expected a condition of I32 and two operands of one type, got " + condition.type()
                                + ", " + yes.type() + " and " + no.type());
            }
        }

        @Override
        public Type type() {
            return yes.type();
        }
    }

    /** {@return the sum of a convolution or of a matrix product, of which the rest is computed} */
    static Expression sum() {
        return new Sum();
    }

    /**
     * Returns an element of a value of floats.
     *
     * @param id the value
     * @param shape its own, dense, from which it is broadcast
     * @return the operand
     */
    static Expression floats(NodeId id, List<Long> shape) {
        return new Input(Strided.dense(id, shape), Type.F32);
    }

    /**
     * Returns an element of a value of integers or conditions.
     *
     * @param id the value
     * @param shape its own, dense, from which it is broadcast
     * @return the operand
     */
    static Expression ints(NodeId id, List<Long> shape) {
        return new Input(Strided.dense(id, shape), Type.I32);
    }

    /**
     * Returns a float.
     *
     * @param value any finite number; infinities become the largest ones
     * @return the operand
     */
    static Expression of(float value) {
        float finite = Math.max(-Float.MAX_VALUE, Math.min(Float.MAX_VALUE, value));
        return new Constant(Float.floatToRawIntBits(finite), Type.F32);
    }

    /**
     * Returns an integer.
     *
     * @param value any number
     * @return the operand
     */
    static Expression of(int value) {
        return new Constant(value, Type.I32);
    }

    /**
     * Applies an operation to this operand.
     *
     * @param operation what is computed
     * @return the result
     * @throws IllegalArgumentException if the operation is not one of this type
     */
    default Expression apply(UnaryOperation operation) {
        return new Unary(requireNonNull(operation, "operation"), this);
    }

    /**
     * Applies an operation to this operand and another one.
     *
     * @param operation what is computed
     * @param other the second operand
     * @return the result
     * @throws IllegalArgumentException if the operation is not one of these types
     */
    default Expression apply(BinaryOperation operation, Expression other) {
        return new Binary(requireNonNull(operation, "operation"), this, other);
    }

    /**
     * Chooses between two operands: {@code yes} where this is not 0.
     *
     * @param yes an operand
     * @param no an operand of the same type
     * @return the chosen one
     * @throws IllegalArgumentException if this is not an integer, or the types differ
     */
    default Expression select(Expression yes, Expression no) {
        return new Select(this, yes, no);
    }

    /**
     * Adds.
     *
     * @param other an operand of the same type
     * @return the sum
     */
    default Expression plus(Expression other) {
        return apply(BinaryOperation.ADD, other);
    }

    /**
     * Multiplies.
     *
     * @param other an operand of the same type
     * @return the product
     */
    default Expression times(Expression other) {
        return apply(BinaryOperation.MULTIPLY, other);
    }

    /**
     * Limits floats to a range. With 0 and infinity it is the rectifier (relu).
     *
     * @param least the smallest result
     * @param most the largest result
     * @return the limited float
     */
    default Expression clipped(float least, float most) {
        Expression raised = apply(BinaryOperation.MAXIMUM, of(least));
        return most >= Float.MAX_VALUE ? raised : raised.apply(BinaryOperation.MINIMUM, of(most));
    }

    /**
     * Returns the hard sigmoid: {@code alpha * x + beta}, limited to 0 to 1. Times x it is the hard swish.
     *
     * @param alpha the slope
     * @param beta the value at 0
     * @return the result
     */
    default Expression hardSigmoid(float alpha, float beta) {
        return times(of(alpha)).plus(of(beta)).clipped(0, 1);
    }

    /** {@return the values that it reads, each once, in the order in which they are computed with} */
    default List<Input> inputs() {
        return Operations.of(this).inputs();
    }

    /** {@return whether it is one of {@link #sum}} */
    default boolean hasSum() {
        return Operations.of(this).hasSum();
    }

    /**
     * Returns this expression with others in place of its inputs: so operators of a graph become one.
     *
     * @param with gives the expression for an input, of the same type
     * @return a new expression
     */
    default Expression withInputs(Function<Input, Expression> with) {
        return switch (this) {
            case Input input -> with.apply(input);
            case Constant _, Sum _ -> this;
            case Unary(UnaryOperation operation, Expression x) ->
                x.withInputs(with).apply(operation);
            case Binary(BinaryOperation operation, Expression a, Expression b) ->
                a.withInputs(with).apply(operation, b.withInputs(with));
            case Select(Expression condition, Expression yes, Expression no) ->
                condition.withInputs(with).select(yes.withInputs(with), no.withInputs(with));
        };
    }

    /** {@return the Gaussian error linear unit by the error function: x (1 + erf(x / √2)) / 2} */
    default Expression gelu() {
        Expression erf = times(of((float) Math.sqrt(0.5))).apply(UnaryOperation.ERF);
        return times(of(0.5f)).times(erf.plus(of(1f)));
    }

    /**
     * Raises floats to a power that is a number: with products and roots where it is 2, 3, 0.5, -0.5 or -1.
     *
     * @param exponent any float
     * @return the power
     */
    default Expression power(float exponent) {
        if (exponent == 2) {
            return times(this);
        }
        if (exponent == 3) {
            return times(this).times(this);
        }
        if (exponent == -1) {
            return of(1f).apply(BinaryOperation.DIVIDE, this);
        }
        Expression root = apply(UnaryOperation.SQRT);
        return exponent == 0.5f
                ? root
                : exponent == -0.5f ? root.power(-1) : apply(BinaryOperation.POWER, of(exponent));
    }
}
