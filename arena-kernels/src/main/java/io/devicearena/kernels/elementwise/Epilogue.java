package io.devicearena.kernels.elementwise;

import io.devicearena.NodeId;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.Words;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What becomes of the sums of a convolution or of a matrix product: an expression of {@link Expression#sum} and of
 * values of floats, so that element-wise operators after it need no memory and no pass of their own.
 *
 * <p>A value has the shape of the output, or one element for each channel or column: {@code [channels][1][1]}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param expression of floats, with at most 4 values
 * @param shape that of the output
 * @param axis the dimension of the output that has the channels
 */
public record Epilogue(Expression expression, List<Long> shape, int axis) {
    /** A device binds at least 8 values to a kernel: these, the output and two operands. */
    public static final int MOST_INPUTS = 4;

    /** Checks that a step can compute it. */
    public Epilogue {
        shape = List.copyOf(shape);
        if (!fits(expression, shape, axis)) {
            throw new IllegalArgumentException("epilogue: expected an expression of floats with at most " + MOST_INPUTS
                    + " values, each with the shape " + shape + " or an element for each place of dimension " + axis
                    + " of it, got " + expression);
        }
    }

    /**
     * Returns whether a convolution or product can end with an expression.
     *
     * @param expression of its sums
     * @param shape that of the output
     * @param axis the dimension of the output that has the channels: 1 of a convolution, the last of a product
     * @return whether it is one of floats, with few values of the right shapes
     */
    public static boolean fits(Expression expression, List<Long> shape, int axis) {
        List<Expression.Input> inputs = expression.inputs();
        return inputs.size() <= MOST_INPUTS
                && expression.type() == Expression.Type.F32
                && inputs.stream()
                        .allMatch(input -> input.type() == Expression.Type.F32
                                && (isWhole(input, shape) || isOfChannel(input, shape, axis)));
    }

    private static boolean isWhole(Expression.Input input, List<Long> shape) {
        Strided value = input.value();
        return value.equals(Strided.dense(value.id(), value.shape()))
                && Loops.product(value.shape()) == Loops.product(shape);
    }

    private static boolean isOfChannel(Expression.Input input, List<Long> shape, int axis) {
        List<Long> own = input.value().shape();
        int dimension = own.size() - shape.size() + axis;
        return dimension >= 0
                && input.value().equals(Strided.dense(input.value().id(), own))
                && own.get(dimension).equals(shape.get(axis))
                && Loops.product(own) == shape.get(axis);
    }

    /**
     * Returns whether an input has an element for each channel, and not one for each of the output.
     *
     * @param input of the expression
     * @return whether its element is that of the channel
     */
    public boolean isOfChannel(Expression.Input input) {
        return !isWhole(input, shape);
    }

    /** {@return the values that a step with this epilogue reads} */
    public List<NodeId> reads() {
        return expression.inputs().stream().map(input -> input.value().id()).toList();
    }

    /**
     * Returns the words of the structure {@code End} for kernels in CUDA, in {@code finish.cuh}: how many inputs there
     * are, a bit for each of a channel, and the operations.
     *
     * @return the words
     * @throws IllegalArgumentException if the expression has more operations than such a kernel has room for
     */
    public int[] words() {
        List<Expression.Input> inputs = expression.inputs();
        int ofChannel = IntStream.range(0, inputs.size())
                .filter(i -> isOfChannel(inputs.get(i)))
                .map(i -> 1 << i)
                .sum();
        return CudaExpression.addTo(new Words().add(inputs.size(), ofChannel), expression)
                .toArray();
    }

    /**
     * Returns the text of a kernel that stores sums: the variables {@code out} and {@code more_1}, {@code more_2} and
     * so on for the inputs, and the function {@code finish} of a place in the output, its channel and its sum.
     *
     * @return WGSL
     */
    public String wgsl() {
        List<Expression.Input> inputs = expression.inputs();
        StringBuilder text = new StringBuilder("@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n");
        for (int i = 1; i <= inputs.size(); i++) {
            text.append(
                    String.format(Locale.ROOT, "@group(0) @binding(0) var<storage, read> more_%d: array<f32>;\n", i));
        }
        Operations operations = Operations.of(expression);
        return text.append("\nfn finish(at: u32, channel: u32, sum: f32) {\n")
                .append(operations.wgsl(
                        input -> "more_" + (inputs.indexOf(input) + 1) + (isOfChannel(input) ? "[channel]" : "[at]")))
                .append("    out[at] = ")
                .append(operations.result())
                .append(";\n}\n")
                .toString();
    }
}
