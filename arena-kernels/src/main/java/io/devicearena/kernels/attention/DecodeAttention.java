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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Attention for one row: norms and rotates queries and key, stores key and value into the caches, and sums the values
 * that the queries see. On a device all this is one dispatch.
 *
 * <p>The rows of a cache are dealt out to the splits in turn, 32 at a time: so a device need not know the position to
 * begin to load them. Each split writes what it gathered; {@link io.devicearena.kernels.matrix.AttentionProduct} puts
 * the splits together. A split without positions writes a sum of 0 and a largest score of -3e38. More splits keep more
 * of a device busy; {@code cacheRows / 32} of them is the most that is of use.
 *
 * <p>On a device a workgroup serves the query heads of a key head, for one split. It has the key and the value of the
 * row at hand, so that it need not wait until they are in the caches.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> T. Dao et al., Flash-Decoding for long-context inference, 2023 (splits).
 *
 * @param partials receives F32 [heads][splits][headDim + 4]: the sum of the weighted values, then the largest score,
 *     then the sum of the weights exp(score - largest), then two that nothing reads
 * @param in the inputs, of 1 row; the position must be below 1,048,576
 * @param shape the dimensions
 * @param rope the rotation, of heads of equal length
 * @param norms of queries and keys, or null
 * @param splits 1 or more
 */
public record DecodeAttention(
        NodeId partials,
        AttentionInputs in,
        AttentionShape shape,
        Rope rope,
        @Nullable HeadNorms norms,
        int splits) implements CudaStep {
    private static final int CHUNK = 32;

    /** The query heads of a workgroup, which keeps their elements in its memory. */
    private static final int MOST_HEADS = 8;

    private static final int MOST_ELEMENTS = 1024;

    /** So many workgroups run at a time on a large device; with fewer, a head each is done sooner. */
    private static final int PARALLEL_GROUPS = 128;

    private static final int THREADS = 256;

    /** With as many a chunk has a row for each team. */
    private static final int LEAST_LANES = THREADS / CHUNK;

    /** Checks the dimensions. */
    public DecodeAttention {
        new Heads(in, shape, rope, norms, 1);
        Objects.requireNonNull(partials, "partials");
        if (splits < 1) {
            throw new IllegalArgumentException("splits: expected 1 or more, got " + splits);
        }
    }

    private Heads heads() {
        return new Heads(in, shape, rope, norms, 1);
    }

    @Override
    public String label() {
        return "decode attention";
    }

    @Override
    public List<NodeId> reads() {
        return heads().reads();
    }

    @Override
    public List<NodeId> writes() {
        return heads().writes(partials);
    }

    /** The query heads that a workgroup serves: of one key head, and as few as run at the same time. */
    private int headsOfGroup() {
        int most = Math.min(shape.group(), Math.min(MOST_HEADS, MOST_ELEMENTS / shape.headDim()));
        int heads = 1;
        for (int more = 2; more <= most && (long) splits * shape.heads() / heads > PARALLEL_GROUPS; more++) {
            heads = shape.group() % more == 0 ? more : heads;
        }
        return heads;
    }

    /** The threads that hold a head; a part of them is idle where its length is no power of two. */
    private int lanes() {
        int lanes = LEAST_LANES;
        while (8 * lanes < shape.headDim()) {
            lanes *= 2;
        }
        return lanes;
    }

    private long partialElements() {
        return (long) shape.heads() * splits * (shape.headDim() + 4);
    }

    @Override
    public void record(StepRecorder device) {
        int heads = headsOfGroup();
        int lanes = lanes();
        StepKernel kernel = StepKernel.of(device, "attention/decode-attention")
                .lanes(StepKernel.subgroupSize(device.facts()))
                .use("ROTATION", "attention/rotated-" + rope.pairs())
                .set("HEADS", heads)
                .set("PER_TEAM", CHUNK * lanes / THREADS)
                .set("SPLITS", splits)
                .set("THREADS", THREADS)
                .set("LANES", lanes)
                .write("partials", partials, partialElements() * Float.BYTES);
        heads().setIn(kernel).dispatch(label(), Workgroups.of(splits, shape.heads() / heads));
    }

    @Override
    public void record(CudaRecorder device) {
        Words job = new Words()
                .add(shape.kvHeads(), shape.group(), shape.headDim(), shape.cacheRows(), shape.reach())
                .add(heads().hasNorms(), rope.neighbours() ? 1 : 0, splits, heads().epsilonBits())
                .add(Float.floatToRawIntBits(shape.scoreScale()));
        CudaKernel kernel = CudaKernel.of(device, "decode_attention")
                .write(partials, partialElements() * Float.BYTES)
                .read(in.queries(), heads().queryElements() * Float.BYTES);
        heads().addTo(kernel).job(rope.addTo(job)).launch(label(), Workgroups.of(splits, shape.heads()), THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        Cursor cursor = Cursor.of(host, in.cursor());
        MemorySegment to = HostFloats.words(host, partials, partialElements());
        MemorySegment keys = HostFloats.words(host, in.keyCache(), shape.cacheElements());
        MemorySegment values = HostFloats.words(host, in.valueCache(), shape.cacheElements());
        HostHeads heads = new HostHeads(host, heads());
        HostHeads.Memory memory = heads.memory();
        // native as the arena: at the first segment of another kind the JIT drops its code for products
        MemorySegment queries = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Float.BYTES * shape.queryColumns()));
        WorkerTasks<AttentionBlock> tasks = new WorkerTasks<>(host, shape.blocks(host), (block, task) -> {
            int position = cursor.position();
            int kvHead = task / splits;
            int split = task % splits;
            int head = kvHead * shape.group();
            block.begin(queries, (long) head * shape.headDim(), shape.group(), shape.headDim());
            for (int p = shape.firstSeen(position); p <= position; p++) {
                if (p % shape.cacheRows() / CHUNK % splits == split) {
                    block.add(keys, values, shape.inCache(p, kvHead));
                }
            }
            int partial = shape.headDim() + 4;
            block.writePartials(to, ((long) head * splits + split) * partial, (long) splits * partial);
        });
        return () -> {
            heads.store(0, cursor.position(), memory);
            for (int h = 0; h < shape.heads(); h++) {
                heads.query(0, h, memory, queries);
            }
            tasks.run(shape.kvHeads() * splits);
        };
    }
}
