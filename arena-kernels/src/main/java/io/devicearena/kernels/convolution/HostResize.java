package io.devicearena.kernels.convolution;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Resizes images on the host: a task is a channel. */
final class HostResize implements Runnable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final ImageShape input;
    private final ImageShape output;
    private final boolean isNearest;
    private final Places down;
    private final Places right;
    private final MemorySegment in;
    private final MemorySegment out;
    private final WorkerTasks<TileMemory.Worker> tasks;

    HostResize(Resize step, HostValues host) {
        this.input = ImageShape.of(step.input());
        this.output = ImageShape.of(step.output());
        this.isNearest = step.interpolation().mode() == Interpolation.Mode.NEAREST;
        this.down = step.rows();
        this.right = step.columns();
        this.in = HostFloats.words(host, step.in(), input.elements());
        this.out = HostFloats.words(host, step.out(), output.elements());
        this.tasks = new WorkerTasks<>(
                host,
                TileMemory.of(host).workers(input.pixels(), output.width(), 0).iterator()::next,
                this::resize);
    }

    @Override
    public void run() {
        tasks.run(output.planes());
    }

    private void resize(TileMemory.Worker worker, int channel) {
        float[] from = worker.operand();
        float[] row = worker.sums();
        long first = (long) channel * input.pixels() * Float.BYTES;
        MemorySegment.copy(in, FLOAT, first, from, 0, input.pixels());
        for (int y = 0; y < output.height(); y++) {
            boolean isSame = y > 0 && isNearest && down.first()[y] == down.first()[y - 1];
            if (!isSame && isNearest) {
                takeNearest(from, down.first()[y] * input.width(), row);
            } else if (!isSame) {
                int above = down.first()[y] * input.width();
                interpolate(from, above, down.second()[y] * input.width(), down.weight()[y], row);
            }
            long at = ((long) channel * output.height() + y) * output.width() * Float.BYTES;
            MemorySegment.copy(row, 0, out, FLOAT, at, output.width());
        }
    }

    private void takeNearest(float[] from, int at, float[] row) {
        int[] columns = right.first();
        for (int x = 0; x < columns.length; x++) {
            row[x] = from[at + columns[x]];
        }
    }

    private void interpolate(float[] from, int above, int below, float weight, float[] row) {
        for (int x = 0; x < output.width(); x++) {
            int a = right.first()[x];
            int b = right.second()[x];
            float w = right.weight()[x];
            float upper = from[above + a] + (from[above + b] - from[above + a]) * w;
            float lower = from[below + a] + (from[below + b] - from[below + a]) * w;
            row[x] = upper + (lower - upper) * weight;
        }
    }
}
