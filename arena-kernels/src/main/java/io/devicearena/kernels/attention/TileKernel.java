package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.StepText;
import java.util.Map;

/** Records an attention for many rows, in tiles of 32 queries and 32 keys. */
record TileKernel(String label, NodeId queries, NodeId out, long elements, int headDim) {
    static final int QUERIES = 32;

    private static final int KEYS = 32;

    /** The vectors of a query and a key that are multiplied between two barriers. */
    private static final int SLAB = 8;

    private static final int THREADS = 256;

    /**
     * Records the kernel. A part of its text has the functions that find the keys that a tile sees; its bindings have
     * numbers from 2 on.
     */
    void record(StepRecorder device, String part, String constants, Bindings others, Workgroups groups) {
        boolean inPlace = out.equals(queries);
        int width = headDim / 4;
        int slices = Math.min(QUERIES, THREADS / width);
        int perSlice = (QUERIES - 1) / slices + 1;
        StepText text = StepText.of(TileKernel.class, "attention-in-tiles")
                .repeat("#I", perSlice)
                .repeat("#K", SLAB)
                .repeat("#N", KEYS)
                .withText(constants)
                .withText("const SLICES = " + slices + "u;\nconst PER_SLICE = " + perSlice + "u;\nconst SLABS = "
                        + ((width - 1) / SLAB + 1) + "u;\n")
                .withPart(inPlace ? "query-in-place" : "query-separate")
                .withPart(part);
        Bindings bindings = others.with(0, 0, DeviceValues.window(device, out, elements * Float.BYTES));
        if (!inPlace) {
            bindings = bindings.with(0, 1, DeviceValues.window(device, queries, elements * Float.BYTES));
        }
        DeviceValues.dispatch(device, label, text.source(Map.of()), bindings, groups);
    }
}
