package io.devicearena.kernels.norm;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;

/** Norms rows on the host: a thread takes some rows at a time. */
final class HostNorm implements Runnable {
    private static final int ROWS_OF_TASK = 8;

    private final NormRows rows;
    private final HostValues host;
    private final NormRows.Norm norm;
    private final MemorySegment from;
    private final MemorySegment to;
    private final float[][] weights;
    private final WorkerTasks<float[][]> tasks;
    private int count;

    HostNorm(NormRows rows, HostValues host, NormRows.Norm norm) {
        this.rows = rows;
        this.host = host;
        this.norm = norm;
        this.from = rows.words(host, rows.in());
        this.to = rows.words(host, rows.out());
        this.weights = new float[rows.weights().size()][rows.columns()];
        this.tasks = new WorkerTasks<>(
                host, () -> new float[rows.inner() == 1 ? 1 : ROWS_OF_TASK][rows.columns()], this::norm);
    }

    @Override
    public void run() {
        count = rows.valid(host);
        for (int i = 0; i < weights.length; i++) {
            HostFloats.read(HostFloats.words(host, rows.weights().get(i), rows.columns()), 0, weights[i]);
        }
        tasks.run((count + ROWS_OF_TASK - 1) / ROWS_OF_TASK);
    }

    private void norm(float[][] memory, int task) {
        int first = task * ROWS_OF_TASK;
        int end = Math.min(count, first + ROWS_OF_TASK);
        if (rows.inner() > 1) {
            normColumns(memory, first, end - first);
            return;
        }
        float[] row = memory[0];
        for (int r = first; r < end; r++) {
            HostFloats.read(from, (long) r * rows.columns(), row);
            norm.apply(row, weights);
            HostFloats.write(row, to, (long) r * rows.columns());
        }
    }

    /** Norms rows that lie in each other: neighbours together, since a cache line has elements of all of them. */
    private void normColumns(float[][] memory, int first, int neighbours) {
        long inner = rows.inner();
        long[] begins = new long[neighbours];
        for (int r = 0; r < neighbours; r++) {
            begins[r] = (first + r) / inner * inner * rows.columns() + (first + r) % inner;
        }
        for (int c = 0; c < rows.columns(); c++) {
            for (int r = 0; r < neighbours; r++) {
                memory[r][c] = Float.intBitsToFloat(HostFloats.word(from, begins[r] + c * inner));
            }
        }
        for (int r = 0; r < neighbours; r++) {
            norm.apply(memory[r], weights);
        }
        for (int c = 0; c < rows.columns(); c++) {
            for (int r = 0; r < neighbours; r++) {
                HostFloats.setWord(to, begins[r] + c * inner, Float.floatToRawIntBits(memory[r][c]));
            }
        }
    }
}
