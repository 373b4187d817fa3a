package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * What becomes of the sums of a convolution or of a matrix product: an expression of each sum and of other values, so
 * that element-wise operators after it need no memory and no pass of their own.
 *
 * <pre>{@code
 * Epilogue.of(bias).adding(residual).then(sum -> sum.clipped(0, 6));
 * }</pre>
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param expression of floats: input 0 is the sum, input i + 1 is number i of {@code inputs}
 * @param inputs the other values, at most 4
 */
public record Epilogue(Expression expression, List<Input> inputs) {
    /** A device binds at least 8 values to a kernel: these, the output and two operands. */
    public static final int MOST_INPUTS = 4;

    /** The sums as they are. */
    public static final Epilogue NONE = new Epilogue(Expression.floats(0), List.of());

    /**
     * A value that an epilogue reads.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param id F32; one of the shape of the output may be the output itself
     * @param isOfChannel whether it has an element for each channel or column of the output; else it has the output's
     *     shape
     */
    public record Input(NodeId id, boolean isOfChannel) {
        /** Checks that there is a value. */
        public Input {
            requireNonNull(id, "id");
        }
    }

    /** Checks the inputs of the expression. */
    public Epilogue {
        inputs = List.copyOf(inputs);
        Operations operations = Operations.of(expression);
        if (inputs.size() > MOST_INPUTS || operations.inputs() > inputs.size() + 1) {
            throw new IllegalArgumentException("epilogue: expected the " + (operations.inputs() - 1)
                    + " inputs of its expression and at most " + MOST_INPUTS + ", got " + inputs.size());
        }
        if (expression.type() != Expression.Type.F32 || !operations.hasFloatInputs()) {
            throw new IllegalArgumentException("epilogue: expected an expression of floats, got " + expression);
        }
    }

    /**
     * Returns an epilogue that adds a bias.
     *
     * @param bias F32, one for each channel or column of the output
     * @return the epilogue
     */
    public static Epilogue of(NodeId bias) {
        return NONE.plus(new Input(bias, true));
    }

    /**
     * Returns the same epilogue with a value that is added to its result, such as a residual.
     *
     * @param value F32 of the shape of the output
     * @return a new epilogue
     */
    public Epilogue adding(NodeId value) {
        return plus(new Input(value, false));
    }

    private Epilogue plus(Input input) {
        List<Input> all = new ArrayList<>(inputs);
        all.add(input);
        return new Epilogue(expression.plus(Expression.floats(all.size())), all);
    }

    /**
     * Returns the same epilogue with a function of its result.
     *
     * @param last an expression of floats
     * @return a new epilogue
     */
    public Epilogue then(UnaryOperator<Expression> last) {
        return new Epilogue(last.apply(expression), inputs);
    }

    /** {@return the values that a step with this epilogue reads} */
    public List<NodeId> reads() {
        return inputs.stream().map(Input::id).toList();
    }

    /**
     * Returns the text of a kernel that stores sums: the variables {@code out} and {@code more_1}, {@code more_2} and
     * so on for the inputs, and the function {@code finish} of a place in the output, its channel and its sum.
     *
     * @return WGSL
     */
    public String wgsl() {
        StringBuilder text = new StringBuilder("@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n");
        for (int i = 1; i <= inputs.size(); i++) {
            text.append(
                    String.format(Locale.ROOT, "@group(0) @binding(0) var<storage, read> more_%d: array<f32>;\n", i));
        }
        Operations operations = Operations.of(expression);
        return text.append("\nfn finish(at: u32, channel: u32, sum: f32) {\n")
                .append(operations.wgsl(input -> input.number() == 0 ? "sum" : element(input.number())))
                .append("    out[at] = ")
                .append(operations.result())
                .append(";\n}\n")
                .toString();
    }

    private String element(int number) {
        return "more_" + number + (inputs.get(number - 1).isOfChannel ? "[channel]" : "[at]");
    }
}
