package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepText;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What norms share: one workgroup a row on a device, one task a row on the host.
 *
 * @param weights F32 [columns] each
 * @param cursor U32 [4], whose second word is the number of valid rows, or null
 */
record NormRows(
        NodeId out,
        NodeId in,
        List<NodeId> weights,
        int rows,
        int columns,
        @Nullable NodeId cursor) {
    private static final int CURSOR_WORDS = 4;

    NormRows {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "norm of " + in + ": expected 1 or more rows and columns, got " + rows + " x " + columns);
        }
    }

    NormRows(NodeId out, NodeId in, List<NodeId> weights, int rows, int columns) {
        this(out, in, weights, rows, columns, null);
    }

    /** Changes a row; the weights are in their order. */
    interface Norm {
        void apply(float[] row, float[][] weights);
    }

    /** Records the kernel of a file; the weights are bound from binding 2 on, and behind them the cursor. */
    void record(StepRecorder device, String file, Map<String, Double> constants) {
        boolean inPlace = out.equals(in);
        long bytes = (long) rows * columns * Float.BYTES;
        Bindings bindings = Bindings.of(DeviceValues.window(device, out, bytes));
        if (!inPlace) {
            bindings = bindings.with(0, 1, DeviceValues.window(device, in, bytes));
        }
        for (int i = 0; i < weights.size(); i++) {
            bindings =
                    bindings.with(0, 2 + i, DeviceValues.window(device, weights.get(i), (long) columns * Float.BYTES));
        }
        StepText text = StepText.of(NormRows.class, file).withReductions(device.facts());
        int next = 2 + weights.size();
        if (cursor == null) {
            text.withText("fn is_valid(row: u32) -> bool { return true; }\n");
        } else {
            bindings = bindings.with(0, next, DeviceValues.window(device, cursor, CURSOR_WORDS * (long) Integer.BYTES));
            text.withText("@group(0) @binding(" + next + ") var<storage, read> cursor: array<u32>;\n"
                    + "fn is_valid(row: u32) -> bool { return row < cursor[1]; }\n");
        }
        DeviceValues.dispatch(device, file, text.withInput(inPlace).source(constants), bindings, Workgroups.of(rows));
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
