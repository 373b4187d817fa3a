package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Computes an expression for each element: out = expression(inputs). Several operators of a graph are one step, so the
 * values between them need no memory.
 *
 * <pre>{@code
 * // out = relu(a * scale + b): a and b have the shape of out, scale has one number for each channel
 * new Elementwise(
 *         out,
 *         shape,
 *         Expression.floats(0).times(Expression.floats(1)).plus(Expression.floats(2)).clipped(0, Float.MAX_VALUE),
 *         List.of(
 *                 Strided.dense(a, shape),
 *                 Strided.broadcast(scale, List.of(64L, 1L, 1L), shape),
 *                 Strided.dense(b, shape)));
 * }</pre>
 *
 * <p>The output may share its bytes with inputs that are dense: with the same number, or with another one that has the
 * same slot.
 *
 * <p>Additions, products and operations on integers are exact roundings on the host. A device may round a quotient or a
 * root within 2.5 ULP, and contract a product and a sum. The functions of {@link UnaryOperation} say how near they are
 * on the host; on a device WGSL allows an exponential an error of 3 + 2 |x| ULP. Results with infinities or NaN are not
 * defined on a device.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> WebGPU Shading Language, section 15.7.4, for what a device may do.
 *
 * @param out receives the elements in the order of the shape, in words of the expression's type
 * @param shape the extent of each dimension, 1 or more
 * @param expression what is computed
 * @param inputs the values that it reads, by their number in the expression
 */
public record Elementwise(NodeId out, List<Long> shape, Expression expression, List<Strided> inputs)
        implements KernelStep {
    /** Checks the shapes, and the inputs of the expression. */
    public Elementwise {
        requireNonNull(out, "out");
        shape = List.copyOf(shape);
        inputs = List.copyOf(inputs);
        for (Strided input : inputs) {
            input.check("elementwise to " + out, shape);
        }
        Operations operations = Operations.of(expression);
        if (operations.inputs() > inputs.size()) {
            throw new IllegalArgumentException("elementwise to " + out + ": expected " + operations.inputs()
                    + " inputs, those of its expression, got " + inputs.size());
        }
        Loops loops = loops(shape, inputs);
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).id().equals(out)
                    && !(loops.isDense(i) && inputs.get(i).first() == 0)) {
                throw new IllegalArgumentException("elementwise to " + out
                        + ": expected an input that is read element by element, or another output, got strides "
                        + inputs.get(i).strides() + " of the output itself");
            }
        }
    }

    /**
     * Makes a step whose inputs have the shape of the output.
     *
     * @param out receives the elements
     * @param shape the extent of each dimension, 1 or more
     * @param expression what is computed
     * @param inputs dense values of the same shape
     * @return the step
     */
    public static Elementwise dense(NodeId out, List<Long> shape, Expression expression, NodeId... inputs) {
        return new Elementwise(
                out,
                shape,
                expression,
                Stream.of(inputs).map(id -> Strided.dense(id, shape)).toList());
    }

    @Override
    public String label() {
        return "elementwise";
    }

    @Override
    public List<NodeId> reads() {
        return inputs.stream().map(Strided::id).distinct().toList();
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    private static Loops loops(List<Long> shape, List<Strided> inputs) {
        return new Loops(shape, inputs.stream().map(Strided::strides).toList());
    }

    @Override
    public void record(StepRecorder device) {
        Loops loops = loops(shape, inputs);
        StepKernel kernel = StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text(loops))
                .write("out", out, loops.count() * Integer.BYTES);
        for (int i = 0; i < inputs.size(); i++) {
            Strided input = inputs.get(i);
            kernel.read("in_" + i, input.id(), input.reach(shape) * Integer.BYTES);
        }
        kernel.dispatchElements(label(), loops.count());
    }

    /** The inputs, and a function of the number of an element. */
    private String text(Loops loops) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            text.append(String.format(Locale.ROOT, "const first_in_%d: u32 = 0u; //! job\n", i));
            text.append(String.format(Locale.ROOT, "@group(0) @binding(0) var<storage, read> in_%d: array<u32>;\n", i));
        }
        Operations operations = Operations.of(expression);
        return text.append("\nfn place(i: u32) -> u32 { return i; }\n\nfn element(i: u32) -> u32 {\n")
                .append(inputs.isEmpty() ? "" : loops.places("i"))
                .append(operations.wgsl(input -> String.format(
                        Locale.ROOT,
                        "bitcast<%s>(in_%d[first_in_%2$d + %du + %s])",
                        input.type() == Expression.Type.F32 ? "f32" : "i32",
                        input.number(),
                        inputs.get(input.number()).first(),
                        loops.place(input.number(), "i"))))
                .append(String.format(Locale.ROOT, "    return bitcast<u32>(%s);\n}\n", operations.result()))
                .toString();
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostElementwise(host, this, loops(shape, inputs));
    }
}
