package com.example.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.devicearena.kernels.activation.ElementFunction;
import io.devicearena.kernels.activation.ElementFunction.Kind;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ActivationsTest {
    private static final Expression X = Expression.floats(0);

    private static Optional<Kind> kind(Expression expression, int inputs) {
        return Activations.of(expression, inputs).map(ElementFunction::kind);
    }

    @Test
    void of_gelu_inTwoWays() {
        Expression erf = X.apply(BinaryOperation.DIVIDE, Expression.of((float) Math.sqrt(2)))
                .apply(UnaryOperation.ERF)
                .plus(Expression.of(1f));
        assertEquals(Optional.of(Kind.GELU_ERF), kind(X.times(erf).times(Expression.of(0.5f)), 1));
        assertEquals(Optional.of(Kind.GELU_ERF), kind(X.times(Expression.of(0.5f)).times(erf), 1));
    }

    @Test
    void of_hardSwish_asPaddleWritesIt() {
        Expression six = Expression.of(6f);
        Expression swish = X.times(X.plus(Expression.of(3f)).clipped(0, 6)).apply(BinaryOperation.DIVIDE, six);
        assertEquals(Optional.of(Kind.HARD_SWISH), kind(swish, 1));
    }

    @Test
    void of_functionsWithNumbers_haveThem() {
        assertEquals(Optional.of(ElementFunction.clip(-1, 4)), Activations.of(X.clipped(-1, 4), 1));
        assertEquals(Optional.of(Kind.HARD_SIGMOID), kind(X.hardSigmoid(0.25f, 0.5f), 1));
    }

    @Test
    void of_sums_areThoseOfAllInputs() {
        Expression sum = X.plus(Expression.floats(1)).plus(Expression.floats(2));
        assertEquals(Optional.of(Kind.NONE), kind(sum, 3));
        assertEquals(Optional.of(Kind.RELU), kind(sum.clipped(0, Float.POSITIVE_INFINITY), 3));
        assertEquals(Optional.empty(), kind(X.times(Expression.floats(1)), 2));
    }

    @Test
    void of_sumWithSmallNumber_isNoFunction() {
        assertEquals(Optional.empty(), kind(X.plus(Expression.of(1e-4f)), 1));
        assertEquals(Optional.empty(), kind(X.times(X), 1));
    }
}
