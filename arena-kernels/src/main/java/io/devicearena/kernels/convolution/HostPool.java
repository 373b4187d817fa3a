package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Computes a pool on the host: a task is a channel, whose rows are staged as for a convolution. */
final class HostPool implements Runnable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    /** The floats of a whole image that are combined at a time. */
    private static final int PART = 64;

    private final Pool step;
    private final ImageShape output;
    private final boolean isMax;
    private final boolean isGlobal;
    private final float empty;
    private final MemorySegment in;
    private final MemorySegment out;
    private final Staging staging;
    private final int[] rowCounts;
    private final int[] columnCounts;
    private final WorkerTasks<TileMemory.Worker> tasks;

    HostPool(Pool step, HostValues host) {
        this.step = step;
        this.output = step.output();
        this.isMax = step.kind() == Pool.Kind.MAX;
        this.isGlobal = step.isGlobal();
        this.empty = isMax ? Float.NEGATIVE_INFINITY : 0;
        this.in = HostFloats.words(host, step.in(), step.input().elements());
        this.out = HostFloats.words(host, step.out(), output.elements());
        this.staging = Staging.of(step.input(), step.window(), output.height(), output.width(), empty);
        this.rowCounts = step.counts(step.window().y(), step.input().height(), output.height());
        this.columnCounts = step.counts(step.window().x(), step.input().width(), output.width());
        int operand = isGlobal ? step.input().pixels() : staging.channel();
        int sums = Math.max(PART, output.height() * staging.pitch());
        int room = staging.inputRows() * step.input().width();
        this.tasks = new WorkerTasks<>(
                host, TileMemory.of(host).workers(operand, sums, room).iterator()::next, this::pool);
    }

    @Override
    public void run() {
        tasks.run(output.batch() * output.channels());
    }

    private void pool(TileMemory.Worker worker, int channel) {
        float[] operand = worker.operand();
        float[] sums = worker.sums();
        int width = output.width();
        int pitch = staging.pitch();
        if (isGlobal) {
            long first = (long) channel * step.input().pixels() * Float.BYTES;
            MemorySegment.copy(in, FLOAT, first, operand, 0, step.input().pixels());
            out.setAtIndex(FLOAT, channel, whole(operand, sums));
            return;
        }
        staging.stage(in, channel, 1, 0, worker);
        int count = (output.height() - 1) * pitch + width;
        Arrays.fill(sums, 0, count, empty);
        for (int y = 0; y < step.window().y().size(); y++) {
            for (int x = 0; x < step.window().x().size(); x++) {
                combine(sums, operand, staging.offset(y, x), count);
            }
        }
        for (int y = 0; y < output.height(); y++) {
            if (!isMax) {
                for (int x = 0; x < width; x++) {
                    sums[y * pitch + x] /= rowCounts[y] * columnCounts[x];
                }
            }
            long at = ((long) channel * output.height() + y) * width * Float.BYTES;
            MemorySegment.copy(sums, y * pitch, out, FLOAT, at, width);
        }
    }

    /** Combines parts of an image, so that a float need not wait for the one before, then the floats of the result. */
    private float whole(float[] image, float[] to) {
        int pixels = step.input().pixels();
        Arrays.fill(to, 0, PART, empty);
        for (int i = 0; i < pixels; i += PART) {
            combine(to, image, i, Math.min(PART, pixels - i));
        }
        for (int i = 1; i < PART; i++) {
            combine(to, to, i, 1);
        }
        return isMax ? to[0] : to[0] / pixels;
    }

    private void combine(float[] to, float[] from, int at, int count) {
        if (isMax) {
            takeLargest(to, from, at, count);
        } else {
            add(to, from, at, count);
        }
    }

    private static void takeLargest(float[] to, float[] from, int at, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Math.max(to[i], from[at + i]);
        }
    }

    private static void add(float[] to, float[] from, int at, int count) {
        for (int i = 0; i < count; i++) {
            to[i] += from[at + i];
        }
    }
}
