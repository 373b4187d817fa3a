package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
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

    /** Checks the dimensions. */
    public RopeAndCache {
        new Heads(in, shape, rope, norms, rows);
        Objects.requireNonNull(rotated, "rotated");
    }

    private Heads heads() {
        return new Heads(in, shape, rope, norms, rows);
    }

    @Override
    public String label() {
        return "rope and cache";
    }

    @Override
    public List<NodeId> reads() {
        return heads().reads();
    }

    @Override
    public List<NodeId> writes() {
        return heads().writes(rotated);
    }

    @Override
    public void record(StepRecorder device) {
        StepKernel kernel = StepKernel.of(device, "attention/rope-and-cache")
                .use("PAIRS", "attention/pairs-of-" + rope.pairs())
                .write("out", rotated, heads().queryElements() * Float.BYTES);
        heads().setIn(kernel).dispatch(label(), Workgroups.of(shape.heads() + shape.kvHeads(), rows));
    }

    @Override
    public void record(CudaRecorder device) {
        Words job = new Words()
                .add(rows, shape.heads(), shape.kvHeads(), shape.headDim(), shape.cacheRows())
                .add(heads().hasNorms(), rope.neighbours() ? 1 : 0, heads().epsilonBits());
        long queryBytes = heads().queryElements() * Float.BYTES;
        CudaKernel kernel = CudaKernel.of(device, "rope_and_cache")
                .write(rotated, queryBytes)
                .readBeside(in.queries(), queryBytes, rotated);
        heads().addTo(kernel).job(rope.addTo(job)).launch(label(), Workgroups.of(rows), CUDA_THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        Cursor cursor = Cursor.of(host, in.cursor());
        MemorySegment to = HostFloats.words(host, rotated, heads().queryElements());
        HostHeads heads = new HostHeads(host, heads());
        WorkerTasks<HostHeads.Memory> tasks = new WorkerTasks<>(host, heads::memory, (memory, row) -> {
            heads.store(row, cursor.position() + row, memory);
            for (int h = 0; h < shape.heads(); h++) {
                heads.query(row, h, memory, to);
            }
        });
        return () -> tasks.run(Math.min(rows, cursor.rows()));
    }
}
