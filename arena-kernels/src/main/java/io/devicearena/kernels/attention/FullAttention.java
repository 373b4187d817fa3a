package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
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
 * @param out receives F32 [rows][heads * headDim]; may be the queries, not the keys or the values
 * @param queries F32 [rows][heads * headDim]
 * @param keys F32 [rows][heads * headDim]
 * @param values F32 [rows][heads * headDim]
 * @param sequences which rows are sequences
 * @param shape the dimensions
 */
public record FullAttention(NodeId out, NodeId queries, NodeId keys, NodeId values, Sequences sequences, Shape shape)
        implements OneOutputStep {
    /** The queries of a task of the host. */
    private static final int QUERIES = 32;

    /**
     * Which rows are sequences.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param spans U32 [rows][2]: the first row that a row sees, and the end of these rows. A row sees itself, and the
     *     rows of a sequence have equal spans
     * @param cursor U32 [4], whose second word is the number of valid rows, or null if all are valid. Other rows are
     *     neither seen nor written
     */
    public record Sequences(NodeId spans, @Nullable NodeId cursor) {
        /** Checks that there are spans. */
        public Sequences {
            Objects.requireNonNull(spans, "spans");
        }
    }

    /**
     * The dimensions.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param rows the most rows, of all sequences together, 1 or more
     * @param heads 1 or more
     * @param headDim the elements of a head, a multiple of 8, at most 256
     * @param scoreScale what the product of query and key is multiplied by, such as 1 / sqrt(headDim)
     */
    public record Shape(int rows, int heads, int headDim, float scoreScale) {
        /** Checks the ranges. */
        public Shape {
            AttentionShape.checkHeads(headDim, scoreScale);
            if (rows < 1 || heads < 1) {
                throw new IllegalArgumentException(
                        "attention: expected 1 or more rows and heads, got " + rows + " and " + heads);
            }
        }
    }

    /** Checks that the output is not read by other rows. */
    public FullAttention {
        Objects.requireNonNull(queries, "queries");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(sequences, "sequences");
        Objects.requireNonNull(out, "out");
        Objects.requireNonNull(shape, "shape");
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
        return Stream.concat(Stream.of(queries, keys, values, sequences.spans()), Stream.ofNullable(sequences.cursor()))
                .toList();
    }

    /** The elements of queries, keys, values and output. */
    private long elements() {
        return (long) shape.rows() * columns();
    }

    /** The elements of a row. */
    private int columns() {
        return shape.heads() * shape.headDim();
    }

    @Override
    public void record(StepRecorder device) {
        int tiles = (shape.rows() - 1) / TileKernel.QUERIES + 1;
        StepKernel kernel = TileKernel.of(device, "attention/seen-in-span", out, queries, elements(), shape.headDim())
                .set("HEADS", shape.heads())
                .set("ROWS", shape.rows())
                .set("WIDTH", shape.headDim() / 4)
                .set("SCALE", shape.scoreScale())
                .read("keys", keys, elements() * Float.BYTES)
                .read("values", values, elements() * Float.BYTES)
                .read("spans", sequences.spans(), 2L * shape.rows() * Integer.BYTES);
        NodeId cursor = sequences.cursor();
        if (cursor != null) {
            kernel.use("VALID", "attention/rows-of-cursor").read("cursor", cursor, Cursor.BYTES);
        }
        kernel.dispatch(label(), Workgroups.of(tiles, shape.heads()));
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment from = HostFloats.words(host, queries, elements());
        MemorySegment allKeys = HostFloats.words(host, keys, elements());
        MemorySegment allValues = HostFloats.words(host, values, elements());
        MemorySegment spans = HostFloats.words(host, sequences.spans(), 2L * shape.rows());
        MemorySegment to = HostFloats.words(host, out, elements());
        Supplier<AttentionBlock> memory = AttentionBlock.ofThreads(host, QUERIES, shape.headDim(), shape.scoreScale());
        WorkerTasks<AttentionBlock> tasks = new WorkerTasks<>(host, memory, (block, task) -> {
            int valid = validRows(host);
            int head = task % shape.heads();
            int row = task / shape.heads() * QUERIES;
            int end = Math.min(row + QUERIES, valid);
            while (row < end) {
                int firstKey = HostFloats.word(spans, 2L * row);
                int endKey = HostFloats.word(spans, 2L * row + 1);
                checkSpan(row, firstKey, endKey, valid);
                int endRow = Math.min(end, endKey);
                block.begin(from, at(row, head), endRow - row, columns());
                for (int key = firstKey; key < endKey; key++) {
                    block.add(allKeys, allValues, at(key, head));
                }
                block.writeMeans(to, at(row, head), columns());
                row = endRow;
            }
        });
        return () -> tasks.run(shape.heads() * Math.ceilDiv(validRows(host), QUERIES));
    }

    private int validRows(HostValues host) {
        return Cursor.validRows(host, sequences.cursor(), shape.rows());
    }

    private static void checkSpan(int row, int first, int end, int rows) {
        if (first < 0 || first > row || end <= row || end > rows) {
            throw new IllegalArgumentException("spans: expected that row " + row + " of " + rows
                    + " sees itself, and rows that are valid, got rows " + first + " to " + end);
        }
    }

    private long at(int row, int head) {
        return (long) row * columns() + (long) head * shape.headDim();
    }
}
