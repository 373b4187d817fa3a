package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Norms and rotates the queries of some rows, and stores their keys, normed and rotated, and values into the caches.
 *
 * <p>Row r has the position of the cursor plus r. Rows beyond the cursor's count are left out: neither {@code rotated}
 * nor a cache is written for them. {@link PrefillAttention} follows.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rotated receives F32 [rows][heads * headDim]; may be the queries
 * @param in the inputs; the positions must be below 1,048,576
 * @param rows the most rows, 1 or more
 * @param shape the dimensions
 * @param rope the rotation, of heads of equal length
 * @param norms of queries and keys, or null
 */
public record RopeAndCache(
        NodeId rotated,
        AttentionInputs in,
        int rows,
        AttentionShape shape,
        Rope rope,
        @Nullable HeadNorms norms) implements CudaStep {
    /** A block has a row. */
    private static final int CUDA_THREADS = 128;

    /** The most pairs of a head. */
    private static final int CUDA_PAIRS = 128;

    /** Checks the dimensions. */
    public RopeAndCache {
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(rotated, "rotated");
        rope.checkFits(shape);
        shape.checkRows(rows);
    }

    @Override
    public String label() {
        return "rope and cache";
    }

    @Override
    public List<NodeId> reads() {
        return in.reads(norms);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(in.keyCache(), in.valueCache(), rotated);
    }

    @Override
    public void record(StepRecorder device) {
        long queryBytes = (long) rows * shape.queryColumns() * Float.BYTES;
        long keyBytes = (long) rows * shape.keyColumns() * Float.BYTES;
        StepKernel kernel = StepKernel.of(device, "attention/rope-and-cache")
                .use("PAIRS", "attention/pairs-of-" + rope.pairs())
                .write("out", rotated, queryBytes)
                .read("queries", in.queries(), queryBytes)
                .write("key_cache", in.keyCache(), shape.cacheElements() * Float.BYTES)
                .write("value_cache", in.valueCache(), shape.cacheElements() * Float.BYTES)
                .read("cursor", in.cursor(), AttentionInputs.CURSOR_WORDS * (long) Integer.BYTES)
                .read("keys", in.keys(), keyBytes)
                .read("values", in.values(), keyBytes);
        new HeadText(shape, rope, norms)
                .setIn(kernel)
                .dispatch(label(), Workgroups.of(shape.heads() + shape.kvHeads(), rows));
    }

    @Override
    public void record(CudaRecorder device) {
        long queryBytes = (long) rows * shape.queryColumns() * Float.BYTES;
        long keyBytes = (long) rows * shape.keyColumns() * Float.BYTES;
        long cacheBytes = shape.cacheElements() * Float.BYTES;
        long normBytes = (long) shape.headDim() * Float.BYTES;
        CudaKernel.of(device, "rope_and_cache")
                .write(rotated, queryBytes)
                .readBeside(in.queries(), queryBytes, rotated)
                .read(in.keys(), keyBytes)
                .read(in.values(), keyBytes)
                .write(in.keyCache(), cacheBytes)
                .write(in.valueCache(), cacheBytes)
                .read(in.cursor(), AttentionInputs.CURSOR_WORDS * (long) Integer.BYTES)
                .read(norms == null ? null : norms.query(), normBytes)
                .read(norms == null ? null : norms.key(), normBytes)
                .job(cudaJob())
                .launch(label(), Workgroups.of(rows), CUDA_THREADS);
    }

    private int[] cudaJob() {
        int[] words = new int[8 + 2 * CUDA_PAIRS];
        words[0] = rows;
        words[1] = shape.heads();
        words[2] = shape.kvHeads();
        words[3] = shape.headDim();
        words[4] = shape.cacheRows();
        words[5] = norms == null ? 0 : 1;
        words[6] = rope.neighbours() ? 1 : 0;
        words[7] = Float.floatToRawIntBits(norms == null ? 0 : norms.epsilon());
        rope.writeTurns(words, 8, 8 + CUDA_PAIRS);
        return words;
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment cursor = HostFloats.words(host, in.cursor(), AttentionInputs.CURSOR_WORDS);
        MemorySegment to = HostFloats.words(host, rotated, (long) rows * shape.queryColumns());
        HostHeads heads = new HostHeads(host, in, shape, rope, norms, rows);
        WorkerTasks<HostHeads.Memory> tasks = new WorkerTasks<>(host, heads::memory, (memory, row) -> {
            int position = HostFloats.word(cursor, 0) + row;
            heads.turnTo(position, memory);
            heads.store(row, position, memory);
            for (int h = 0; h < shape.heads(); h++) {
                long at = (long) row * shape.queryColumns() + (long) h * shape.headDim();
                heads.query(row, h, memory.angles(), memory.head());
                HostFloats.write(memory.head(), to, at);
            }
        });
        return () -> {
            heads.begin();
            tasks.run(Math.min(rows, HostFloats.word(cursor, 1)));
        };
    }
}
