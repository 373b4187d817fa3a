package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Norms and rotates heads on the host, and stores keys and values into their caches. */
final class HostHeads {
    private final AttentionShape shape;
    private final Rope rope;
    private final @Nullable HeadNorms norms;
    private final MemorySegment queries;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final MemorySegment keyCache;
    private final MemorySegment valueCache;
    private final float[] queryWeights;
    private final float[] keyWeights;

    HostHeads(
            HostValues host, AttentionInputs in, AttentionShape shape, Rope rope, @Nullable HeadNorms norms, int rows) {
        this.shape = shape;
        this.rope = rope;
        this.norms = norms;
        this.queries = HostFloats.words(host, in.queries(), (long) rows * shape.queryColumns());
        this.keys = HostFloats.words(host, in.keys(), (long) rows * shape.keyColumns());
        this.values = HostFloats.words(host, in.values(), (long) rows * shape.keyColumns());
        this.keyCache = HostFloats.words(host, in.keyCache(), shape.cacheElements());
        this.valueCache = HostFloats.words(host, in.valueCache(), shape.cacheElements());
        this.queryWeights = norms == null ? new float[0] : weights(host, norms.query());
        this.keyWeights = norms == null ? new float[0] : weights(host, norms.key());
    }

    private float[] weights(HostValues host, NodeId id) {
        return HostFloats.read(HostFloats.words(host, id, shape.headDim()), 0, shape.headDim());
    }

    /** A head of a query, normed and rotated. */
    float[] query(int row, int head, float[] angles) {
        return prepared(
                queries, (long) row * shape.queryColumns() + (long) head * shape.headDim(), queryWeights, angles);
    }

    /** Stores the keys, normed and rotated, and the values of a row. */
    void store(int row, int position, float[] angles) {
        for (int kvHead = 0; kvHead < shape.kvHeads(); kvHead++) {
            long from = (long) row * shape.keyColumns() + (long) kvHead * shape.headDim();
            long to = shape.inCache(position, kvHead);
            HostFloats.write(prepared(keys, from, keyWeights, angles), keyCache, to);
            HostFloats.write(HostFloats.read(values, from, shape.headDim()), valueCache, to);
        }
    }

    private float[] prepared(MemorySegment from, long element, float[] weights, float[] angles) {
        float[] head = HostFloats.read(from, element, shape.headDim());
        if (norms != null) {
            norms.apply(head, weights);
        }
        rope.turn(head, angles);
        return head;
    }
}
