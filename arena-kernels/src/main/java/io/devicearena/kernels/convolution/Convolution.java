package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.tile.ProductGrid;
import java.util.List;

/**
 * Convolves images, or signals as images of height 1: each element of the result is the sum of a window of the input
 * times a kernel, with what the end adds and computes of it. Batch normalisation is in the weights: see {@link
 * BatchNormalization}.
 *
 * <p>The sums are f32, in any order: of n products (n = channels / groups x height x width of the window) a sum is off
 * by at most n u times the sum of the absolute values of the products, with u = 2^-24; the end adds its own error.
 * On the host the weights and values for each channel are read when the step is bound, and a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code Conv} of ONNX, opset 11.
 *
 * @param out receives F32 of the shape {@code shape.output()}; not {@code in}
 * @param in F32 of the shape {@code shape.input()}
 * @param weights F32 [channels of the result][channels / groups][height][width of the window]
 * @param shape the shapes
 * @param end what becomes of {@link Expression#sum}: an {@link io.devicearena.kernels.elementwise.Epilogue}, whose
 *     channels are those of the result
 */
public record Convolution(NodeId out, NodeId in, NodeId weights, ConvolutionShape shape, Expression end)
        implements OneOutputStep, CudaStep {
    /** Output channels of a group with fewer are computed element by element on a device. */
    private static final int LEAST_ROWS = 4;

    /** Checks the shapes, and that the output is another value than the input. */
    public Convolution {
        StepKernel.requireOther("convolution", out, in, weights);
        shape.window().requirePlaces("convolution", shape.in(), shape.out(), false);
        shape.epilogue(end);
    }

    @Override
    public List<NodeId> reads() {
        return shape.reads(in, weights, end);
    }

    @Override
    public void record(StepRecorder device) {
        boolean isDirect = isDirect();
        StepKernel kernel = StepKernel.of(device, isDirect ? "convolution/direct" : "product/tiles");
        if (!isDirect) {
            kernel.use("OPERANDS", "convolution/product").set("GROUPS", shape.groups());
        }
        shape.setIn(kernel, out, in, weights, end);
        if (isDirect) {
            kernel.dispatch(label(), shape.out().workgroups());
        } else {
            grid().dispatch(kernel, label());
        }
    }

    @Override
    public void record(CudaRecorder device) {
        if (isDirect()) {
            shape.kernel(device, "direct_convolution", out, in, weights, end)
                    .launchElements(label(), shape.out().elements());
        } else {
            grid().launch(shape.kernel(device, "convolution", out, in, weights, end), label());
        }
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostConvolution(this, host);
    }

    private boolean isDirect() {
        return shape.outGroup() < LEAST_ROWS;
    }

    private ProductGrid grid() {
        ImageShape output = shape.out();
        return ProductGrid.of(shape.outGroup(), output.pixels(), shape.depth(), output.batch() * shape.groups());
    }
}
