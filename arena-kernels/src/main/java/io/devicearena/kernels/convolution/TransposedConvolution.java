package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

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

    /**
     * Binds the step to values: a matrix product gives what each element of the input adds under each element of the
     * window, [image][channel][element of the window][pixel]; then each row of the result sums up its parts.
     */
    @Override
    public Runnable bind(HostValues host) {
        ImageShape from = shape.in();
        ImageShape to = shape.out();
        SlidingWindow.Axis down = shape.window().y();
        long groups = shape.groups();
        long depth = shape.inGroup();
        List<Long> kernels =
                List.of(groups, depth, (long) shape.outGroup() * shape.window().taps());
        List<Long> images = List.of((long) from.batch(), groups, depth, (long) from.pixels());
        ProductShape sizes = ProductShape.of(kernels, true, images, false);
        float[] parts = new float[Math.toIntExact(sizes.outElements())];
        Runnable product = new MatrixProduct(out, weights, in, false, sizes, Expression.sum())
                .bind(host, MemorySegment.ofArray(parts));
        Finish finish = new Finish(shape.epilogue(end), host, HostFloats.words(host, out, to.elements()));
        Supplier<Finish.Worker> memory = finish.workers(TileMemory.of(host).workers(0, to.width(), 0));
        WorkerTasks<Finish.Worker> sums = new WorkerTasks<>(host, memory, (worker, plane) -> {
            float[] row = worker.memory().sums();
            for (int y = 0; y < to.height(); y++) {
                Arrays.fill(row, 0, to.width(), 0);
                for (int ky = 0; ky < down.size(); ky++) {
                    int place = y + down.before() - ky * down.dilation();
                    if (place >= 0 && place % down.stride() == 0 && place / down.stride() < from.height()) {
                        int first =
                                (plane * down.size() + ky) * shape.window().x().size() * from.pixels();
                        addParts(parts, first + place / down.stride() * from.width(), from, row, to.width());
                    }
                }
                worker.finish(row, 0, to.width(), plane % to.channels(), to.row(plane, y));
                worker.end();
            }
        });
        return () -> {
            product.run();
            sums.run(to.planes());
        };
    }

    /** Adds a row of the input under each column of the window. */
    private void addParts(float[] parts, int first, ImageShape from, float[] row, int width) {
        SlidingWindow.Axis x = shape.window().x();
        for (int kx = 0; kx < x.size(); kx++) {
            int left = kx * x.dilation() - x.before();
            int begin = Math.max(0, Math.ceilDiv(-left, x.stride()));
            int end = Math.min(from.width(), Math.floorDiv(width - 1 - left, x.stride()) + 1);
            int at = first + kx * from.pixels();
            for (int i = begin; i < end; i++) {
                row[left + i * x.stride()] += parts[at + i];
            }
        }
    }
}
