package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.tile.DeviceFinish;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Convolves images backwards: each element of the input, times a kernel, is added to a window of the result. So a
 * stride of 2 makes images of about twice the size.
 *
 * <p>The sums are f32, in any order: of n products (at most channels / groups x height x width of the window) a sum is
 * off by at most n u times the sum of the absolute values of the products, with u = 2^-24; the epilogue adds its own
 * error. On the host values for each channel are read when the step is bound, and
 * a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code ConvTranspose} of ONNX, opset 11.
 *
 * @param out receives F32 of the shape {@code shape.output()}; not {@code in}
 * @param in F32 of the shape {@code shape.input()}
 * @param weights F32 [channels][outChannels / groups][height][width of the window]
 * @param shape the shapes
 * @param epilogue what becomes of the sums; its channels are those of the result
 */
public record TransposedConvolution(NodeId out, NodeId in, NodeId weights, TransposedShape shape, Epilogue epilogue)
        implements KernelStep {
    /** Checks that the output is another value than the input. */
    public TransposedConvolution {
        Objects.requireNonNull(weights, "weights");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(epilogue, "epilogue");
        Convolution.requireOther("transposed-convolution", out, in);
    }

    @Override
    public String label() {
        return "transposed-convolution";
    }

    @Override
    public List<NodeId> reads() {
        return Stream.concat(Stream.of(in, weights), epilogue.reads().stream()).toList();
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        ImageShape output = shape.output();
        StepKernel kernel = StepKernel.of(device, "convolution/transposed");
        shape.window().setIn(kernel, shape.input(), output);
        new DeviceFinish(epilogue, out, output.elements(), shape.outChannels())
                .setIn(kernel)
                .set("IN_GROUP", shape.input().channels() / shape.groups())
                .set("OUT_GROUP", shape.outChannels() / shape.groups())
                .read("input", in, shape.input().bytes())
                .read("weights", weights, (long) shape.weights() * Float.BYTES)
                .dispatch(label(), output.workgroups(device.facts()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostTransposed(this, host);
    }
}
