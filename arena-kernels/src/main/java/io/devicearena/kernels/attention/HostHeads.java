package io.devicearena.kernels.attention;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.RowSums;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Norms and rotates heads on the host, and stores keys and values into their caches. */
final class HostHeads {
    /**
     * What a thread computes in.
     *
     * @param angles the sine and the cosine of each pair's angle, at the position of a row
     * @param head the elements of a head
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Memory(float[] angles, float[] head) {}

    private final AttentionShape shape;
    private final Rope rope;
    private final long[] frequencies;
    private final MemorySegment queries;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final MemorySegment keyCache;
    private final MemorySegment valueCache;
    private final @Nullable MemorySegment queryNorm;
    private final @Nullable MemorySegment keyNorm;
    private final float epsilon;

    HostHeads(HostValues host, Heads heads) {
        AttentionInputs in = heads.in();
        this.shape = heads.shape();
        this.rope = heads.rope();
        this.frequencies = rope.frequencies();
        HeadNorms norms = heads.norms();
        this.queries = HostFloats.words(host, in.queries(), heads.queryElements());
        this.keys = HostFloats.words(host, in.keys(), heads.keyElements());
        this.values = HostFloats.words(host, in.values(), heads.keyElements());
        this.keyCache = HostFloats.words(host, in.keyCache(), shape.cacheElements());
        this.valueCache = HostFloats.words(host, in.valueCache(), shape.cacheElements());
        this.queryNorm = norms == null ? null : HostFloats.words(host, norms.query(), shape.headDim());
        this.keyNorm = norms == null ? null : HostFloats.words(host, norms.key(), shape.headDim());
        this.epsilon = norms == null ? 0 : norms.epsilon();
    }

    Memory memory() {
        return new Memory(new float[shape.headDim()], new float[shape.headDim()]);
    }

    /** Stores the keys, normed and rotated, and the values of a row. */
    void store(int row, int position, Memory memory) {
        Rope.angles(frequencies, position, memory.angles());
        for (int kvHead = 0; kvHead < shape.kvHeads(); kvHead++) {
            long from = (long) row * shape.keyColumns() + (long) kvHead * shape.headDim();
            long to = shape.inCache(position, kvHead);
            prepare(keys, from, keyNorm, memory);
            HostFloats.write(memory.head(), keyCache, to);
            HostFloats.read(values, from, memory.head());
            HostFloats.write(memory.head(), valueCache, to);
        }
    }

    /** Writes a head of a query, normed and rotated as the keys stored last, where the queries of all rows have it. */
    void query(int row, int head, Memory memory, MemorySegment to) {
        long at = ((long) row * shape.heads() + head) * shape.headDim();
        prepare(queries, at, queryNorm, memory);
        HostFloats.write(memory.head(), to, at);
    }

    private void prepare(MemorySegment from, long element, @Nullable MemorySegment weights, Memory memory) {
        HostFloats.read(from, element, memory.head());
        if (weights != null) {
            RowSums.normalize(memory.head(), shape.headDim(), weights, epsilon);
        }
        rope.turn(memory.head(), memory.angles());
    }
}
