package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.TileMemory;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes a transposed convolution on the host, as a convolution for each pair of remainders of the strides: elements
 * of the result with the same remainders have the same part of the kernels.
 */
final class HostTransposed implements Runnable {
    /** The most floats of sums, if one row needs less. */
    private static final int MOST_FLOATS = 60_000;

    private final TransposedShape shape;
    private final ImageShape output;
    private final int inChannels;
    private final int outChannels;
    private final SlidingWindow.Axis y;
    private final SlidingWindow.Axis x;
    private final MemorySegment in;
    private final Finish finish;
    private final Staging staging;
    private final List<TileFilter> filters = new ArrayList<>();
    private final int placesDown;
    private final int blockRows;
    private final int rowBlocks;
    private final int places;
    private final WorkerTasks<TileMemory.Worker> tasks;

    HostTransposed(TransposedConvolution step, HostValues host) {
        this.shape = step.shape();
        this.output = shape.output();
        this.inChannels = shape.input().channels() / shape.groups();
        this.outChannels = shape.outChannels() / shape.groups();
        this.y = shape.window().y();
        this.x = shape.window().x();
        this.in = HostFloats.words(host, step.in(), shape.input().elements());
        this.finish = new Finish(step.epilogue(), host, shape.outChannels(), step.out(), output.elements());
        this.placesDown = (output.height() - 1 + y.before()) / y.stride() + 1;
        int rows = placesDown;
        while (rows > 1 && sums(rows) > MOST_FLOATS) {
            rows = (rows + 1) / 2;
        }
        this.blockRows = rows;
        this.rowBlocks = (placesDown - 1) / rows + 1;
        this.staging = staging(rows);
        this.places = places(rows);
        MemorySegment kernels = HostFloats.words(host, step.weights(), shape.weights());
        for (int py = 0; py < y.stride(); py++) {
            for (int px = 0; px < x.stride(); px++) {
                filters.add(filter(kernels, py, px));
            }
        }
        List<TileMemory.Worker> workers = TileMemory.of(host)
                .workers(
                        inChannels * staging.channel() + Tiles.best().columns(),
                        sums(rows),
                        Math.max(staging.inputRows() * shape.input().width(), 2 * output.width()));
        this.tasks = new WorkerTasks<>(host, workers.iterator()::next, this::convolve);
    }

    /** The inputs of rows of places: an element of the result has those from its place back. */
    private Staging staging(int rows) {
        int down = (y.span() - 1) / y.stride();
        int right = (x.span() - 1) / x.stride();
        SlidingWindow window = SlidingWindow.of(down + 1, right + 1).pads(down, right, 0, 0);
        return Staging.of(shape.input(), window, rows, placesRight(), 0);
    }

    private int placesRight() {
        return (output.width() - 1 + x.before()) / x.stride() + 1;
    }

    /** The sums of a channel for a pair of remainders: those of the places and what lies between, in whole tiles. */
    private int places(int rows) {
        int columns = Tiles.best().columns();
        int all = (rows - 1) * staging(rows).pitch() + placesRight();
        return ((all - 1) / columns + 1) * columns;
    }

    private int sums(int rows) {
        int channels = ((outChannels - 1) / Tiles.ROWS + 1) * Tiles.ROWS;
        return y.stride() * x.stride() * channels * places(rows);
    }

    /** The part of the kernels for a pair of remainders. */
    private TileFilter filter(MemorySegment kernels, int py, int px) {
        List<int[]> taps = new ArrayList<>();
        for (int ky = 0; ky < y.size(); ky++) {
            for (int kx = 0; kx < x.size(); kx++) {
                if (ky * y.dilation() % y.stride() == py && kx * x.dilation() % x.stride() == px) {
                    taps.add(new int[] {ky, kx});
                }
            }
        }
        int depth = inChannels * taps.size();
        Packing packing = new Packing(Tiles.ROWS, depth);
        int all = packing.tiles(outChannels);
        float[] weights = new float[shape.groups() * all * packing.tile()];
        int[] offsets = new int[depth];
        for (int k = 0; k < depth; k++) {
            int[] tap = taps.get(k % taps.size());
            int c = k / taps.size();
            offsets[k] = c * staging.channel()
                    + staging.offset(
                            (y.span() - 1) / y.stride() - tap[0] * y.dilation() / y.stride(),
                            (x.span() - 1) / x.stride() - tap[1] * x.dilation() / x.stride());
            for (int o = 0; o < shape.outChannels(); o++) {
                int group = o / outChannels;
                int tile = group * all + o % outChannels / Tiles.ROWS;
                long from = ((long) (group * inChannels + c) * outChannels + o % outChannels)
                                * shape.window().taps()
                        + (long) tap[0] * x.size()
                        + tap[1];
                weights[tile * packing.tile() + k * Tiles.ROWS + o % outChannels % Tiles.ROWS] =
                        Float.intBitsToFloat(HostFloats.word(kernels, from));
            }
        }
        return new TileFilter(Tiles.best(), packing, weights, offsets);
    }

    @Override
    public void run() {
        tasks.run(output.batch() * shape.groups() * rowBlocks);
    }

    private void convolve(TileMemory.Worker worker, int task) {
        int firstPlace = task % rowBlocks * blockRows;
        int group = task / rowBlocks % shape.groups();
        int image = task / (rowBlocks * shape.groups());
        long inChannel = (long) image * shape.input().channels() + (long) group * inChannels;
        staging.stage(in, inChannel, inChannels, firstPlace, worker);
        int part = sums(blockRows) / filters.size();
        for (int i = 0; i < filters.size(); i++) {
            TileFilter filter = filters.get(i);
            int tile = group * filter.packing().tiles(outChannels);
            filter.multiply(worker.operand(), tile, outChannels, worker.sums(), i * part, places);
        }
        int firstRow = Math.max(0, firstPlace * y.stride() - y.before());
        int end = Math.min(output.height(), (firstPlace + blockRows) * y.stride() - y.before());
        for (int o = 0; o < outChannels; o++) {
            for (int row = firstRow; row < end; row++) {
                finish(worker, image, group * outChannels + o, row, o * places, firstPlace);
            }
        }
    }

    /** Puts the elements of a row next to each other, behind room for what is added, and stores them. */
    private void finish(TileMemory.Worker worker, int image, int channel, int row, int from, int firstPlace) {
        int part = sums(blockRows) / filters.size();
        int padded = row + y.before();
        int filter = padded % y.stride() * x.stride();
        int at = from + (padded / y.stride() - firstPlace) * staging.pitch();
        int width = output.width();
        float[] elements = worker.room();
        float[] sums = worker.sums();
        for (int i = 0; i < width; i++) {
            int column = i + x.before();
            elements[width + i] = sums[(filter + column % x.stride()) * part + at + column / x.stride()];
        }
        long first = (((long) image * output.channels() + channel) * output.height() + row) * width;
        finish.finish(elements, width, width, channel, first, elements);
    }
}
