package com.example.onnx;

import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.shape.Strided;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What one or more element-wise operators compute.
 *
 * @param expression of the inputs, by their number
 * @param inputs the values that it reads
 */
record Elements(Expression expression, List<Input> inputs) {
    /**
     * A value that is read element by element.
     *
     * @param id the value
     * @param shape from which it is broadcast: that of the value, or one with more dimensions
     */
    record Input(NodeId id, List<Long> shape) {}

    KernelStep step(NodeId out, List<Long> shape) {
        List<Strided> strided = inputs.stream()
                .map(input -> Strided.broadcast(input.id, input.shape, shape))
                .toList();
        return new Elementwise(out, shape, expression, strided);
    }

    /** The same with the expression of a value in place of the value. */
    Elements with(NodeId value, Elements made) {
        List<Input> all = new ArrayList<>();
        Expression joined = replaced(expression, input -> {
            Input read = inputs.get(input.number());
            return read.id.equals(value)
                    ? replaced(made.expression, inner -> numbered(inner, made.inputs.get(inner.number()), all))
                    : numbered(input, read, all);
        });
        return new Elements(joined, List.copyOf(all));
    }

    private static Expression numbered(Expression.Input input, Input read, List<Input> all) {
        if (!all.contains(read)) {
            all.add(read);
        }
        return new Expression.Input(all.indexOf(read), input.type());
    }

    private static Expression replaced(Expression expression, Function<Expression.Input, Expression> with) {
        return switch (expression) {
            case Expression.Input input -> with.apply(input);
            case Expression.Constant constant -> constant;
            case Expression.Unary unary -> replaced(unary.x(), with).apply(unary.operation());
            case Expression.Binary binary -> replaced(binary.a(), with)
                    .apply(binary.operation(), replaced(binary.b(), with));
            case Expression.Select select -> replaced(select.condition(), with)
                    .select(replaced(select.yes(), with), replaced(select.no(), with));
        };
    }
}
