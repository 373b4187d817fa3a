package io.devicearena.kernels.elementwise;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.List;
import java.util.Locale;

/**
 * Computes an expression for each element: out = expression. Several operators of a graph are one step, so the values
 * between them need no memory.
 *
 * <pre>{@code
 * // out = relu(a * scale + b): a and b have the shape of out, scale has one number for each channel
 * new Elementwise(
 *         out,
 *         shape,
 *         Expression.floats(a, shape)
 *                 .times(Expression.floats(scale, List.of(64L, 1L, 1L)))
 *                 .plus(Expression.floats(b, shape))
 *                 .clipped(0, Float.MAX_VALUE));
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
 * @param expression what is computed of values, which are broadcast to the shape, at most {@link #MOST_INPUTS} if every
 *     device is to run it
 */
public record Elementwise(NodeId out, List<Long> shape, Expression expression) implements OneOutputStep, CudaStep {
    /** The values that every device can bind beside the output. */
    public static final int MOST_INPUTS = 7;

    /** Broadcasts the inputs, and checks that the output is not read in another order. */
    public Elementwise {
        List<Long> all = List.copyOf(shape);
        shape = all;
        expression = expression.withInputs(
                input -> new Expression.Input(input.value().broadcast(all), input.type()));
        Strided own = Strided.dense(out, shape);
        for (Strided input : values(expression)) {
            if (input.id().equals(out) && !input.equals(own)) {
                throw new IllegalArgumentException("elementwise to " + out
                        + ": expected an input that is read element by element, or another output, got strides "
                        + input.strides() + " of the output itself");
            }
        }
        if (expression.hasSum()) {
            throw new IllegalArgumentException("elementwise to " + out + ": expected an expression of values, got one"
                    + " of the sums of a convolution or product: " + expression);
        }
    }

    @Override
    public List<NodeId> reads() {
        return values().stream().map(Strided::id).distinct().toList();
    }

    private static List<Strided> values(Expression expression) {
        return expression.inputs().stream().map(Expression.Input::value).toList();
    }

    /** What is read, broadcast to the shape. */
    List<Strided> values() {
        return values(expression);
    }

    private Loops loops() {
        return new Loops(shape, values().stream().map(Strided::strides).toList());
    }

    @Override
    public void record(StepRecorder device) {
        Loops loops = loops();
        List<Strided> values = values();
        StepKernel kernel = StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text(loops))
                .write("out", out, loops.count() * Integer.BYTES);
        for (int i = 0; i < values.size(); i++) {
            kernel.read("in_" + i, values.get(i).id(), values.get(i).reach() * Integer.BYTES);
        }
        kernel.dispatchElements(label(), loops.count());
    }

    /** The inputs, and a function of the number of an element. */
    private String text(Loops loops) {
        List<Expression.Input> inputs = expression.inputs();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            text.append(StepKernel.declaration("in_" + i));
        }
        Operations operations = Operations.of(expression);
        return text.append("\nfn place(i: u32) -> u32 { return i; }\n\nfn element(i: u32) -> u32 {\n")
                .append(inputs.isEmpty() ? "" : loops.places("i"))
                .append(operations.wgsl(input -> String.format(
                        Locale.ROOT,
                        "bitcast<%s>(in_%d[first_in_%2$d + %du + %s])",
                        input.type() == Expression.Type.F32 ? "f32" : "i32",
                        inputs.indexOf(input),
                        input.value().first(),
                        loops.place(inputs.indexOf(input), "i"))))
                .append(String.format(Locale.ROOT, "    return bitcast<u32>(%s);\n}\n", operations.result()))
                .toString();
    }

    @Override
    public void record(CudaRecorder device) {
        Loops loops = loops();
        List<Strided> values = values();
        CudaKernel kernel = CudaKernel.of(device, "elementwise").write(out, loops.count() * Integer.BYTES);
        Words job = new Words().add(loops.count(), values.size()).loops(loops);
        for (int i = 0; i < MOST_INPUTS; i++) {
            if (i < values.size()) {
                Strided value = values.get(i);
                kernel.readBeside(value.id(), value.reach() * Integer.BYTES, out);
                job.strides(loops, i, value.first());
            } else {
                kernel.read(null, 0);
                job.padded(List.of(), Words.STRIDES);
            }
        }
        kernel.job(CudaExpression.addTo(job, expression)).launchElements(label(), loops.count());
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostElementwise(host, this, loops());
    }
}
