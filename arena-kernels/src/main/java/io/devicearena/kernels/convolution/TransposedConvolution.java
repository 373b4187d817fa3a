package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;

/**
 * Convolves images backwards: each element of the input, times a kernel, is added to a window of the result. So a
 * stride of 2 makes images of about twice the size.
 *
 * <p>The sums are f32, in any order: of n products (at most channels / groups x height x width of the window) a sum
 * is off by at most n u times the sum of the absolute values of the products, with u = 2^-24; the end adds its own
 * error. On the host values for each channel are read when the step is bound, and a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code ConvTranspose} of ONNX, opset 11.
 *
 * @param out receives F32 of the shape {@code shape.output()}; not {@code in}
 * @param in F32 of the shape {@code shape.input()}
 * @param weights F32 [channels][channels of the result / groups][height][width of the window]
 * @param shape the shapes; the window moves over the output, and its padding is cut off
 * @param end what becomes of {@link Expression#sum}: an {@link io.devicearena.kernels.elementwise.Epilogue}, whose
 *     channels are those of the result
 */
public record TransposedConvolution(NodeId out, NodeId in, NodeId weights, ConvolutionShape shape, Expression end)
        implements OneOutputStep, CudaStep {
    /** Checks the shapes, and that the output is another value than the input. */
    public TransposedConvolution {
        StepKernel.requireOther("transposed-convolution", out, in, weights);
        requireMore(shape.window().y(), shape.out().height(), shape.in().height());
        requireMore(shape.window().x(), shape.out().width(), shape.in().width());
        shape.epilogue(end);
    }

    private static void requireMore(SlidingWindow.Axis axis, int length, int places) {
        int most = Math.max(axis.stride(), axis.dilation()) - 1;
        int more = axis.left(length, places);
        if (more < 0 || more > most) {
            throw new IllegalArgumentException(
                    "transposed-convolution: expected output padding of 0 to " + most + ", got " + more);
        }
    }

    @Override
    public List<NodeId> reads() {
        return shape.reads(in, weights, end);
    }

    @Override
    public void record(StepRecorder device) {
        StepKernel kernel = StepKernel.of(device, "convolution/transposed");
        shape.setIn(kernel, out, in, weights, end).dispatch(label(), shape.out().workgroups());
    }

    @Override
    public void record(CudaRecorder device) {
        shape.kernel(device, "transposed_convolution", out, in, weights, end)
                .launchElements(label(), shape.out().elements());
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostTransposed(this, host);
    }
}
