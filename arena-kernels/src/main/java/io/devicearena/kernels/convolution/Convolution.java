package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.tile.DeviceFinish;
import io.devicearena.kernels.tile.ProductGrid;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Convolves images, or signals as images of height 1: each element of the result is the sum of a window of the input
 * times a kernel, with what the epilogue adds and computes of it. Batch normalisation is in the weights: see {@link
 * BatchNormalization}.
 *
 * <p>The sums are f32, in any order: of n products (n = channels / groups x height x width of the window) a sum is off
 * by at most n u times the sum of the absolute values of the products, with u = 2^-24; the epilogue adds its own error.
 * On the host the weights and values for each channel are read when the step is bound, and a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code Conv} of ONNX, opset 11.
 *
 * @param out receives F32 of the shape {@code shape.output()}; not {@code in}
 * @param in F32 of the shape {@code shape.input()}
 * @param weights F32 [outChannels][channels / groups][height][width of the window]
 * @param shape the shapes
 * @param epilogue what becomes of the sums; its channels are those of the result
 */
public record Convolution(NodeId out, NodeId in, NodeId weights, ConvolutionShape shape, Epilogue epilogue)
        implements KernelStep {
    /** Output channels of a group with fewer are computed element by element on a device. */
    private static final int LEAST_ROWS = 4;

    /** Checks that the output is another value than the input. */
    public Convolution {
        Objects.requireNonNull(weights, "weights");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(epilogue, "epilogue");
        requireOther("convolution", out, in);
    }

    static void requireOther(String label, NodeId out, NodeId in) {
        if (out.equals(in)) {
            throw new IllegalArgumentException(label + ": expected another value as output than the input " + in);
        }
    }

    @Override
    public String label() {
        return "convolution";
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
        if (isProduct()) {
            product().record(device);
            return;
        }
        ImageShape output = shape.output();
        int rows = shape.outChannels() / shape.groups();
        boolean isDirect = rows < LEAST_ROWS;
        StepKernel kernel = StepKernel.of(device, isDirect ? "convolution/direct" : "product/tiles");
        if (!isDirect) {
            kernel.use("OPERANDS", "convolution/product").set("GROUPS", shape.groups());
        }
        shape.window().setIn(kernel, shape.input(), output);
        new DeviceFinish(epilogue, out, output.elements(), shape.outChannels())
                .setIn(kernel)
                .set("IN_GROUP", shape.input().channels() / shape.groups())
                .set("OUT_GROUP", rows)
                .read("input", in, shape.input().bytes())
                .read("weights", weights, (long) shape.weights() * Float.BYTES);
        if (isDirect) {
            kernel.dispatch(label(), output.workgroups(device.facts()));
        } else {
            ProductGrid.of(rows, output.pixels(), shape.depth(), output.batch() * shape.groups())
                    .dispatch(kernel, label());
        }
    }

    @Override
    public Runnable bind(HostValues host) {
        return isProduct() ? product().bind(host) : new HostConvolution(this, host);
    }

    /** Whether the window covers each image, and has one place: then images are rows of a matrix. */
    private boolean isProduct() {
        return shape.groups() == 1
                && shape.output().pixels() == 1
                && shape.window().covers(shape.input());
    }

    private MatrixProduct product() {
        ProductShape sizes = ProductShape.of(shape.input().batch(), shape.depth(), shape.outChannels());
        return new MatrixProduct(out, in, weights, true, sizes.transposed(false, true), epilogue);
    }
}
