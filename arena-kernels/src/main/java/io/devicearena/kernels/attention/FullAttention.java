package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attention of an encoder: each row sees all rows of its sequence. There is no cache.
 *
 * <p>Sequences of any lengths lie one after the other, without padding. A span says for each row which rows its
 * sequence has.
 *
 * <p>On a device a workgroup answers 32 rows of a head, 32 keys at a time. On the host a bound step keeps the memory
 * that it needs, so that a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> A. Vaswani et al., Attention Is All You Need, 2017, equation 1; T. Dao, FlashAttention-2, 2023
 * (tiles with an online softmax; sequences without padding).
 *
 * @param queries F32 [rows][heads * headDim]
 * @param keys F32 [rows][heads * headDim]
 * @param values F32 [rows][heads * headDim]
 * @param spans U32 [rows][2]: the first row that a row sees, and the end of these rows. A row sees itself, and the
 *     rows of a sequence have equal spans
 * @param cursor U32 [4], whose second word is the number of valid rows, or null if all are valid. Other rows are
 *     neither seen nor written
 * @param rows the most rows, of all sequences together, 1 or more
 * @param heads 1 or more
 * @param headDim the elements of a head, a multiple of 8, at most 256
 * @param scoreScale what the product of query and key is multiplied by, such as 1 / sqrt(headDim)
 * @param out receives F32 [rows][heads * headDim]; may be the queries, not the keys or the values
 */
public record FullAttention(
        NodeId queries,
        NodeId keys,
        NodeId values,
        NodeId spans,
        @Nullable NodeId cursor,
        int rows,
        int heads,
        int headDim,
        float scoreScale,
        NodeId out)
        implements KernelStep {
    static final int CURSOR_WORDS = 4;

    /** Checks the dimensions. */
    public FullAttention {
        Objects.requireNonNull(queries, "queries");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(spans, "spans");
        Objects.requireNonNull(out, "out");
        AttentionShape.checkHeadDim(headDim);
        if (rows < 1 || heads < 1) {
            throw new IllegalArgumentException(
                    "attention: expected 1 or more rows and heads, got " + rows + " and " + heads);
        }
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
        if (out.equals(keys) || out.equals(values)) {
            throw new IllegalArgumentException(
                    "attention: expected the queries or another value as output, got the keys or values " + out);
        }
    }

    @Override
    public String label() {
        return "full attention";
    }

    @Override
    public List<NodeId> reads() {
        return Stream.concat(Stream.of(queries, keys, values, spans), Stream.ofNullable(cursor))
                .toList();
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    /** The elements of queries, keys, values and output. */
    long elements() {
        return (long) rows * columns();
    }

    /** The elements of a row. */
    int columns() {
        return heads * headDim;
    }

    @Override
    public void record(StepRecorder device) {
        Bindings bindings = Bindings.none()
                .with(0, 2, DeviceValues.window(device, keys, elements() * Float.BYTES))
                .with(0, 3, DeviceValues.window(device, values, elements() * Float.BYTES))
                .with(0, 4, DeviceValues.window(device, spans, 2L * rows * Integer.BYTES));
        String valid = "fn valid_count() -> u32 { return ROWS; }\n";
        if (cursor != null) {
            bindings = bindings.with(0, 5, DeviceValues.window(device, cursor, CURSOR_WORDS * (long) Integer.BYTES));
            valid = """
                    @group(0) @binding(5) var<storage, read> cursor: array<u32>;
                    fn valid_count() -> u32 { return cursor[1]; }
                    """;
        }
        String constants = "const GROUP = 1u;\nconst HEADS = " + heads + "u;\nconst ROWS = " + rows
                + "u;\nconst WIDTH = " + headDim / 4 + "u;\nconst SCALE = " + scoreScale + "f;\n";
        int tiles = (rows - 1) / TileKernel.QUERIES + 1;
        new TileKernel(label(), queries, out, elements(), headDim)
                .record(device, "seen-in-span", constants + valid, bindings, Workgroups.of(tiles, heads));
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostAttention(this, host);
    }
}
