package com.example.onnx;

import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.shape.Strided;
import java.util.ArrayList;
import java.util.List;

/**
 * What one or more element-wise operators compute, maybe of the sums of a convolution or of a product.
 *
 * @param expression of the inputs, by their number
 * @param inputs the values that it reads, each once
 */
record Elements(Expression expression, List<Input> inputs) {
    /** Stands for the sums of the convolution or the product that the operators are part of. */
    static final NodeId SUM = NodeId.of(Long.MAX_VALUE);

    /**
     * A value that is read element by element.
     *
     * @param id the value
     * @param shape from which it is broadcast: that of the value, or one with more dimensions
     */
    record Input(NodeId id, List<Long> shape) {}

    /** Whether it is part of a convolution or a product. */
    boolean hasSum() {
        return inputs.stream().anyMatch(input -> input.id.equals(SUM));
    }

    /** The values that it reads beside the sums. */
    List<Input> values() {
        return inputs.stream().filter(input -> !input.id.equals(SUM)).toList();
    }

    Elementwise step(NodeId out, List<Long> shape) {
        List<Strided> strided = inputs.stream()
                .map(input -> Strided.broadcast(input.id, input.shape, shape))
                .toList();
        return new Elementwise(out, shape, expression, strided);
    }

    /** The same of sums of a shape: what has it is read element by element, all else channel by channel. */
    Epilogue epilogue(List<Long> shape) {
        List<Input> values = values();
        return new Epilogue(
                expression.withInputs(input -> new Expression.Input(
                        values.indexOf(inputs.get(input.number())) + 1, input.type())),
                values.stream()
                        .map(value -> new Epilogue.Input(value.id, !value.shape.equals(shape)))
                        .toList());
    }

    /** The same with the expression of a value in place of the value. */
    Elements with(NodeId value, Elements made) {
        List<Input> all = new ArrayList<>();
        Expression joined = expression.withInputs(input -> {
            Input read = inputs.get(input.number());
            return read.id.equals(value)
                    ? made.expression.withInputs(inner -> numbered(inner, made.inputs.get(inner.number()), all))
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
}
