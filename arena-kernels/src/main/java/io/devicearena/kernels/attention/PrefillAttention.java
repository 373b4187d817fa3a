package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * Attention for many rows, whose keys and values are in the caches already: see {@link RopeAndCache}.
 *
 * <p>Row r has the position of the cursor plus r. It sees its own position and those before it, as far as the window or
 * the cache reaches. Rows beyond the cursor's count are not written.
 *
 * <p>On a device a workgroup answers 32 queries that share a key head, 32 keys at a time.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> T. Dao, FlashAttention-2, 2023 (tiles with an online softmax).
 *
 * @param out receives F32 [rows][heads * headDim]; may be {@code rotated}
 * @param rotated the queries, normed and rotated, F32 [rows][heads * headDim]
 * @param in the cursor and the caches; the rest is not read
 * @param rows the most rows, 1 or more
 * @param shape the dimensions
 */
public record PrefillAttention(NodeId out, NodeId rotated, AttentionInputs in, int rows, AttentionShape shape)
        implements OneOutputStep, CudaStep {
    /** Queries of a block in CUDA. */
    private static final int CUDA_QUERIES = 16;

    /** Elements of a head for each warp, of which there are two teams. */
    private static final int CUDA_SLICE = 64;

    private static final int CUDA_SLICE_THREADS = 2 * 32;

    /** Checks the dimensions. */
    public PrefillAttention {
        Objects.requireNonNull(rotated, "rotated");
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(out, "out");
        shape.checkRows(rows);
    }

    @Override
    public String label() {
        return "prefill attention";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in.cursor(), rotated, in.keyCache(), in.valueCache());
    }

    private long elements() {
        return (long) rows * shape.queryColumns();
    }

    @Override
    public void record(StepRecorder device) {
        int groups = (rows * shape.group() - 1) / TileKernel.QUERIES + 1;
        StepKernel kernel = TileKernel.of(device, "attention/seen-in-cache", out, rotated, elements(), shape.headDim());
        shape.setIn(kernel)
                .read("key_cache", in.keyCache(), shape.cacheElements() * Float.BYTES)
                .read("value_cache", in.valueCache(), shape.cacheElements() * Float.BYTES)
                .read("cursor", in.cursor(), Cursor.BYTES)
                .dispatch(label(), Workgroups.of(groups, shape.kvHeads()));
    }

    @Override
    public void record(CudaRecorder device) {
        long cacheBytes = shape.cacheElements() * Float.BYTES;
        CudaKernel.of(device, "prefill_attention")
                .write(out, elements() * Float.BYTES)
                .readBeside(rotated, elements() * Float.BYTES, out)
                .read(in.keyCache(), cacheBytes)
                .read(in.valueCache(), cacheBytes)
                .read(in.cursor(), Cursor.BYTES)
                .job(
                        rows,
                        shape.kvHeads(),
                        shape.group(),
                        shape.headDim(),
                        shape.cacheRows(),
                        shape.reach(),
                        device.isExact() ? 1 : 0,
                        Float.floatToRawIntBits(shape.scoreScale()))
                .launch(
                        label(),
                        Workgroups.of((rows * shape.group() - 1) / CUDA_QUERIES + 1, shape.kvHeads()),
                        ((shape.headDim() - 1) / CUDA_SLICE + 1) * CUDA_SLICE_THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        Cursor cursor = Cursor.of(host, in.cursor());
        MemorySegment queries = HostFloats.words(host, rotated, elements());
        MemorySegment keys = HostFloats.words(host, in.keyCache(), shape.cacheElements());
        MemorySegment values = HostFloats.words(host, in.valueCache(), shape.cacheElements());
        MemorySegment to = HostFloats.words(host, out, elements());
        WorkerTasks<AttentionBlock> tasks = new WorkerTasks<>(host, shape.blocks(host), (block, task) -> {
            int begin = cursor.position();
            int row = task / shape.kvHeads();
            int kvHead = task % shape.kvHeads();
            long element = (long) row * shape.queryColumns() + (long) kvHead * shape.group() * shape.headDim();
            block.begin(queries, element, shape.group(), shape.headDim());
            int oldest = Math.max(0, begin + Math.min(rows, cursor.rows()) - shape.cacheRows());
            for (int p = Math.max(oldest, shape.firstSeen(begin + row)); p <= begin + row; p++) {
                block.add(keys, values, shape.inCache(p, kvHead));
            }
            block.writeMeans(to, element, shape.headDim());
        });
        return () -> tasks.run(Math.min(rows, cursor.rows()) * shape.kvHeads());
    }
}
