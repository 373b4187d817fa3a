package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;
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
    static final int CURSOR_WORDS = 4;

    /** The threads of a row in CUDA: {@code block.cuh} has the same. */
    static final int THREADS = 256;

    NormRows {
        if (rows < 1 || columns < 1 || inner < 1) {
            throw new IllegalArgumentException(
                    "norm of " + in + ": expected 1 or more rows and columns, got " + rows + " x " + columns);
        }
    }

    NormRows(NodeId out, NodeId in, List<NodeId> weights, int rows, int columns) {
        this(out, in, weights, rows, columns, 1, null);
    }

    /** The rows of an axis of [outer][columns][inner]. */
    static NormRows ofAxis(NodeId out, NodeId in, int outer, int columns, int inner) {
        return new NormRows(out, in, List.of(), Math.multiplyExact(outer, inner), columns, inner, null);
    }

    /** Changes a row; the weights are in their order. */
    interface Norm {
        void apply(float[] row, float[][] weights);
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
            kernel.use("VALID", "step/rows-of-cursor").read("cursor", cursor, CURSOR_WORDS * (long) Integer.BYTES);
        }
        return kernel;
    }

    /** Adds the first parameters of a kernel in CUDA: the output, and the input where it is another value. */
    CudaKernel kernel(CudaKernel kernel) {
        long bytes = (long) rows * columns * Float.BYTES;
        return kernel.write(out, bytes).readBeside(in, bytes, out);
    }

    /** Binds a norm to values; a run allocates nothing. */
    Runnable bind(HostValues host, Norm norm) {
        return new HostNorm(this, host, norm);
    }

    /** The number of valid rows. */
    int valid(HostValues host) {
        int count = cursor == null ? rows : HostFloats.word(HostFloats.words(host, cursor, CURSOR_WORDS), 1);
        return Integer.compareUnsigned(count, rows) < 0 ? count : rows;
    }

    MemorySegment words(HostValues host, NodeId id) {
        return HostFloats.words(host, id, (long) rows * columns);
    }
}
