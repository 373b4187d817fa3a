package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.TileMemory;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Computes a convolution on the host, as a product of the kernels with the places of the window. A task has some rows
 * of the result and some of its channels; it stages the input of the rows, and multiplies it where it lies: what lies
 * between the rows of places is computed too, and dropped.
 */
final class HostConvolution implements Runnable {
    private final ConvolutionShape shape;
    private final ImageShape input;
    private final ImageShape output;
    private final int inChannels;
    private final int outChannels;
    private final Tiles tiles;
    private final Packing packing;
    private final float[] weights;
    private final int[] offsets;
    private final MemorySegment in;
    private final ConvolutionBlock block;
    private final Staging staging;
    private final int sums;
    private final WorkerTasks<Finish.Worker> tasks;

    HostConvolution(Convolution step, HostValues host) {
        this.shape = step.shape();
        this.input = shape.in();
        this.output = shape.out();
        this.inChannels = shape.inGroup();
        this.outChannels = shape.outGroup();
        this.tiles = Tiles.best(outChannels == 1);
        this.packing = new Packing(tiles.rows(), shape.depth());
        this.in = HostFloats.words(host, step.in(), input.elements());
        Finish finish =
                new Finish(shape.epilogue(step.end()), host, HostFloats.words(host, step.out(), output.elements()));
        this.block = ConvolutionBlock.best(shape, packing, tiles.columns(), host.threads());
        this.staging = block.staging();
        this.sums = block.sums();
        this.weights = packed(step, host);
        this.offsets = offsets();
        Supplier<TileMemory.Worker> memory = TileMemory.of(host)
                .workers(
                        block.operand() + tiles.columns(),
                        block.channels() * sums,
                        staging.inputRows() * input.width());
        this.tasks = new WorkerTasks<>(host, finish.workers(memory), this::convolve);
    }

    private float[] packed(Convolution step, HostValues host) {
        MemorySegment kernels = HostFloats.words(host, step.weights(), shape.weights());
        int group = packing.tiles(outChannels) * packing.tile();
        float[] packed = new float[shape.groups() * group];
        float[] room = new float[shape.depth()];
        for (int g = 0; g < shape.groups(); g++) {
            long first = (long) g * outChannels * shape.depth();
            packing.packAll(kernels, first, outChannels, shape.depth(), 1, room, packed, g * group);
        }
        return packed;
    }

    private int[] offsets() {
        int[] all = new int[shape.depth()];
        int k = 0;
        for (int c = 0; c < inChannels; c++) {
            for (int y = 0; y < shape.window().y().size(); y++) {
                for (int x = 0; x < shape.window().x().size(); x++) {
                    all[k++] = c * staging.channel() + staging.offset(y, x);
                }
            }
        }
        return all;
    }

    @Override
    public void run() {
        tasks.run(block.tasks());
    }

    private void convolve(Finish.Worker worker, int task) {
        TileMemory.Worker memory = worker.memory();
        int firstChannel = task % block.channelBlocks() * block.channels();
        int rest = task / block.channelBlocks();
        int firstRow = rest % block.rowBlocks() * block.rows();
        int groupOfAll = rest / block.rowBlocks();
        int group = groupOfAll % shape.groups();
        long inChannel = (long) groupOfAll * inChannels;
        staging.stage(in, inChannel, inChannels, firstRow, memory);
        int channels = Math.min(block.channels(), outChannels - firstChannel);
        int tile = group * packing.tiles(outChannels) + firstChannel / packing.width();
        multiply(memory.operand(), tile, channels, memory.sums());
        int rows = Math.min(block.rows(), output.height() - firstRow);
        for (int c = 0; c < channels; c++) {
            finish(worker, groupOfAll * outChannels + firstChannel + c, firstRow, rows, c * sums);
        }
        worker.end();
    }

    /**
     * Computes the sums of some channels at all places. Places outside, channels inside: the operand of a tile of
     * places stays in the first cache.
     */
    private void multiply(float[] operand, int firstTile, int channels, float[] to) {
        int first = firstTile * packing.tile();
        for (int p = 0; p < sums; p += tiles.columns()) {
            for (int c = 0, weight = first; c < channels; c += packing.width(), weight += packing.tile()) {
                tiles.multiply(weights, weight, operand, p, offsets, to, c * sums + p, sums);
            }
        }
    }

    /** Stores rows of a channel, after what lies between them is dropped. */
    private void finish(Finish.Worker worker, int plane, int firstRow, int rows, int from) {
        float[] all = worker.memory().sums();
        int width = output.width();
        for (int r = 1; r < rows && staging.pitch() > width; r++) {
            System.arraycopy(all, from + r * staging.pitch(), all, from + r * width, width);
        }
        worker.finish(all, from, rows * width, plane % output.channels(), output.row(plane, firstRow));
    }
}
