package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Computes a pool on the host: a task is a channel, whose rows are staged as for a convolution. */
final class HostPool implements Runnable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final Pool step;
    private final ImageShape output;
    private final boolean isMax;
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
        this.empty = isMax ? Float.NEGATIVE_INFINITY : 0;
        this.in = HostFloats.words(host, step.in(), step.input().elements());
        this.out = HostFloats.words(host, step.out(), output.elements());
        this.staging = Staging.of(step.input(), step.window(), output.height(), output.width(), empty);
        this.rowCounts = step.counts(step.window().y(), step.input().height(), output.height());
        this.columnCounts = step.counts(step.window().x(), step.input().width(), output.width());
        int sums = output.height() * staging.pitch();
        int room = Math.max(sums, staging.inputRows() * step.input().width());
        this.tasks = new WorkerTasks<>(
                host, TileMemory.of(host).workers(staging.channel(), sums, room).iterator()::next, this::pool);
    }

    @Override
    public void run() {
        tasks.run(output.batch() * output.channels());
    }

    private void pool(TileMemory.Worker worker, int channel) {
        float[] operand = worker.operand();
        float[] sums = worker.sums();
        float[] room = worker.room();
        int width = output.width();
        int pitch = staging.pitch();
        staging.stage(in, channel, 1, 0, worker);
        int count = (output.height() - 1) * pitch + width;
        Arrays.fill(sums, 0, count, empty);
        BinaryOperation combined = isMax ? BinaryOperation.MAXIMUM : BinaryOperation.ADD;
        for (int y = 0; y < step.window().y().size(); y++) {
            for (int x = 0; x < step.window().x().size(); x++) {
                System.arraycopy(operand, staging.offset(y, x), room, 0, count);
                combined.apply(sums, room, sums, count);
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
}
