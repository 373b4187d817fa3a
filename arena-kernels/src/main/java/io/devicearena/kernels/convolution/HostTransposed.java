package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

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
        TransposedShape shape = step.shape();
        this.input = shape.input();
        this.output = shape.output();
        this.window = shape.window();
        int groups = shape.groups();
        ProductShape sizes = ProductShape.of(
                        shape.outChannels() / groups * window.taps(), input.channels() / groups, input.pixels())
                .transposed(true, false)
                .batched(List.of(new ProductShape.Axis(input.batch(), 0, groups), new ProductShape.Axis(groups, 1, 1)));
        this.parts = new float[Math.toIntExact(sizes.outElements())];
        this.product = new MatrixProduct(step.out(), step.weights(), step.in(), false, sizes, Epilogue.NONE)
                .bind(new PartsAsOutput(host, step.out(), MemorySegment.ofArray(parts)));
        Finish finish = new Finish(step.epilogue(), host, shape.outChannels(), false, step.out(), output.elements());
        this.sums =
                new WorkerTasks<>(host, finish.workers(TileMemory.of(host).workers(0, output.width(), 0)), this::sum);
    }

    /** The values of a step with the parts in place of its output. */
    private record PartsAsOutput(HostValues host, NodeId out, MemorySegment parts) implements HostValues {
        @Override
        public MemorySegment bytes(NodeId id) {
            return id.equals(out) ? parts : host.bytes(id);
        }

        @Override
        public void parallel(int tasks, IntConsumer body) {
            host.parallel(tasks, body);
        }

        @Override
        public <T> T kept(Class<T> type, Supplier<T> make) {
            return host.kept(type, make);
        }

        @Override
        public int threads() {
            return host.threads();
        }
    }

    @Override
    public void run() {
        product.run();
        sums.run(output.batch() * output.channels());
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
