package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Computes a transposed convolution on the host: a matrix product gives what each element of the input adds under each
 * element of the window, [image][channel][element of the window][pixel]; then each row of the result sums up its parts.
 */
final class HostTransposed implements Runnable {
    private final ImageShape input;
    private final ImageShape output;
    private final SlidingWindow window;
    private final float[] parts;
    private final Runnable product;
    private final WorkerTasks<Finish.Worker> sums;

    HostTransposed(TransposedConvolution step, HostValues host) {
        ConvolutionShape shape = step.shape();
        this.input = shape.in();
        this.output = shape.out();
        this.window = shape.window();
        long groups = shape.groups();
        long depth = shape.inGroup();
        List<Long> kernels = List.of(groups, depth, (long) shape.outGroup() * window.taps());
        List<Long> images = List.of((long) input.batch(), groups, depth, (long) input.pixels());
        ProductShape sizes = ProductShape.of(kernels, true, images, false);
        this.parts = new float[Math.toIntExact(sizes.outElements())];
        this.product = new MatrixProduct(step.out(), step.weights(), step.in(), false, sizes, Expression.sum())
                .bind(host, MemorySegment.ofArray(parts));
        Finish finish =
                new Finish(shape.epilogue(step.end()), host, HostFloats.words(host, step.out(), output.elements()));
        this.sums =
                new WorkerTasks<>(host, finish.workers(TileMemory.of(host).workers(0, output.width(), 0)), this::sum);
    }

    @Override
    public void run() {
        product.run();
        sums.run(output.planes());
    }

    /** Sums up the parts of a channel of an image. */
    private void sum(Finish.Worker worker, int plane) {
        SlidingWindow.Axis y = window.y();
        float[] row = worker.memory().sums();
        for (int i = 0; i < output.height(); i++) {
            Arrays.fill(row, 0, output.width(), 0);
            for (int ky = 0; ky < y.size(); ky++) {
                int down = i + y.before() - ky * y.dilation();
                if (down >= 0 && down % y.stride() == 0 && down / y.stride() < input.height()) {
                    int first = (plane * window.taps() + ky * window.x().size()) * input.pixels();
                    addParts(first + down / y.stride() * input.width(), row);
                }
            }
            long place = ((long) plane * output.height() + i) * output.width();
            worker.finish(row, 0, output.width(), plane % output.channels(), place);
            worker.end();
        }
    }

    /** Adds a row of the input under each column of the window. */
    private void addParts(int first, float[] row) {
        SlidingWindow.Axis x = window.x();
        for (int kx = 0; kx < x.size(); kx++) {
            int left = kx * x.dilation() - x.before();
            int from = Math.max(0, Math.ceilDiv(-left, x.stride()));
            int end = Math.min(input.width(), Math.floorDiv(output.width() - 1 - left, x.stride()) + 1);
            int at = first + kx * input.pixels();
            for (int i = from; i < end; i++) {
                row[left + i * x.stride()] += parts[at + i];
            }
        }
    }
}
