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
    private final ImageShape input;
    private final ImageShape output;
    private final boolean isMax;
    private final float empty;
    private final MemorySegment in;
    private final MemorySegment out;
    private final Staging staging;

    /** How many elements the mean at each place has. */
    private final float[] divisors;

    private final WorkerTasks<TileMemory.Worker> tasks;

    HostPool(Pool step, HostValues host) {
        this.step = step;
        this.input = ImageShape.of(step.input());
        this.output = ImageShape.of(step.output());
        this.isMax = step.kind() == Pool.Kind.MAX;
        this.empty = isMax ? Float.NEGATIVE_INFINITY : 0;
        this.in = HostFloats.words(host, step.in(), input.elements());
        this.out = HostFloats.words(host, step.out(), output.elements());
        this.staging = Staging.of(input, step.window(), output.height(), output.width(), empty);
        int sums = output.height() * staging.pitch();
        this.divisors = new float[sums];
        int[] down = step.counts(step.window().y(), input.height(), output.height());
        int[] right = step.counts(step.window().x(), input.width(), output.width());
        for (int i = 0; i < sums; i++) {
            int x = i % staging.pitch();
            divisors[i] = x < right.length ? down[i / staging.pitch()] * right[x] : 1;
        }
        int room = Math.max(sums, staging.inputRows() * input.width());
        this.tasks = new WorkerTasks<>(
                host, TileMemory.of(host).workers(staging.channel(), sums, room).iterator()::next, this::pool);
    }

    @Override
    public void run() {
        tasks.run(output.planes());
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
        if (!isMax) {
            BinaryOperation.DIVIDE.apply(sums, divisors, sums, count);
        }
        for (int y = 0; y < output.height(); y++) {
            long at = ((long) channel * output.height() + y) * width * Float.BYTES;
            MemorySegment.copy(sums, y * pitch, out, FLOAT, at, width);
        }
    }
}
