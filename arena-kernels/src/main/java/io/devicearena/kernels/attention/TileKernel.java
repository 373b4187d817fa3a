package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.StepKernel;

/** The kernel of an attention for many rows, in tiles of 32 queries and 32 keys. */
final class TileKernel {
    static final int QUERIES = 32;

    /** The vectors of a query and a key that are multiplied between two barriers. */
    private static final int SLAB = 8;

    private static final int THREADS = 256;

    private TileKernel() {}

    /**
     * Begins the kernel.
     *
     * @param seen the file with the functions that find the keys that a tile sees
     * @param elements of the queries, and of the output
     */
    static StepKernel of(StepRecorder device, String seen, NodeId out, NodeId queries, long elements, int headDim) {
        int width = headDim / 4;
        int slices = Math.min(QUERIES, THREADS / width);
        return StepKernel.of(device, "attention/attention-in-tiles")
                .use("SEEN", seen)
                .set("PER_SLICE", (QUERIES - 1) / slices + 1)
                .set("SLABS", (width - 1) / SLAB + 1)
                .write("out", out, elements * Float.BYTES)
                .read("queries", queries, elements * Float.BYTES);
    }
}
