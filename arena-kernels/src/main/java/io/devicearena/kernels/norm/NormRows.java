package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What norms share: one workgroup a row on a device, one task a row on the host.
 *
 * @param weights F32 [columns] each
 * @param inner how far the elements of a row are apart: as many rows lie in each other
 * @param cursor U32 [4], whose second word is the number of valid rows, or null
 */
record NormRows(
        NodeId out,
        NodeId in,
        List<NodeId> weights,
        int rows,
        int columns,
        int inner,
        @Nullable NodeId cursor) {
    /** The threads of a row in CUDA: {@code block.cuh} has the same. */
    static final int THREADS = 256;

    private static final int ROWS_OF_TASK = 8;

    NormRows {
        if (rows < 1 || columns < 1 || inner < 1) {
            throw new IllegalArgumentException(
                    "norm of " + in + ": expected 1 or more rows and columns, got " + rows + " x " + columns);
        }
    }

    /** Begins the kernel of a file, with variables that have the names of the weights. */
    StepKernel kernel(StepRecorder device, String file, String... names) {
        long bytes = (long) rows * columns * Float.BYTES;
        StepKernel kernel = StepKernel.of(device, "norm/" + file)
                .use("REDUCE", device.facts().hasSubgroups() ? "step/reduce-subgroups" : "step/reduce-workgroup")
                .set("COLUMNS", columns)
                .write("out", out, bytes)
                .read("input", in, bytes);
        for (int i = 0; i < names.length; i++) {
            kernel.read(names[i], weights.get(i), (long) columns * Float.BYTES);
        }
        if (cursor != null) {
            kernel.use("VALID", "step/rows-of-cursor").read("cursor", cursor, Cursor.BYTES);
        }
        return kernel;
    }

    /** Adds the first parameters of a kernel in CUDA: the output, and the input where it is another value. */
    CudaKernel kernel(CudaKernel kernel) {
        long bytes = (long) rows * columns * Float.BYTES;
        return kernel.write(out, bytes).readBeside(in, bytes, out);
    }

    /**
     * Binds a norm to values: a thread takes some rows at a time. A run allocates nothing.
     *
     * @param norm changes a row; the weights are in their order
     */
    Runnable bind(HostValues host, BiConsumer<float[], float[][]> norm) {
        MemorySegment from = HostFloats.words(host, in, (long) rows * columns);
        MemorySegment to = HostFloats.words(host, out, (long) rows * columns);
        float[][] values = new float[weights.size()][columns];
        int neighbours = inner == 1 ? 1 : ROWS_OF_TASK;
        WorkerTasks<float[][]> tasks = new WorkerTasks<>(host, () -> new float[neighbours][columns], (memory, task) -> {
            int first = task * ROWS_OF_TASK;
            int end = Math.min(first + ROWS_OF_TASK, Cursor.validRows(host, cursor, rows));
            for (int row = first; row < end; row += neighbours) {
                int count = Math.min(neighbours, end - row);
                read(from, row, memory, count);
                for (int i = 0; i < count; i++) {
                    norm.accept(memory[i], values);
                }
                write(memory, count, to, row);
            }
        });
        return () -> {
            for (int i = 0; i < values.length; i++) {
                HostFloats.read(HostFloats.words(host, weights.get(i), columns), 0, values[i]);
            }
            tasks.run(Math.ceilDiv(Cursor.validRows(host, cursor, rows), ROWS_OF_TASK));
        };
    }

    /** Reads rows that lie in each other together, since a cache line has elements of all of them. */
    private void read(MemorySegment from, int first, float[][] to, int count) {
        if (inner == 1) {
            HostFloats.read(from, (long) first * columns, to[0]);
            return;
        }
        long[] begins = begins(first, count);
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < count; r++) {
                to[r][c] = HostFloats.get(from, begins[r] + (long) c * inner);
            }
        }
    }

    private void write(float[][] from, int count, MemorySegment to, int first) {
        if (inner == 1) {
            HostFloats.write(from[0], to, (long) first * columns);
            return;
        }
        long[] begins = begins(first, count);
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < count; r++) {
                HostFloats.set(to, begins[r] + (long) c * inner, from[r][c]);
            }
        }
    }

    /** The numbers of the first elements of rows. */
    private long[] begins(int first, int count) {
        long[] begins = new long[count];
        for (int r = 0; r < count; r++) {
            int row = first + r;
            begins[r] = (long) row / inner * inner * columns + row % inner;
        }
        return begins;
    }
}
