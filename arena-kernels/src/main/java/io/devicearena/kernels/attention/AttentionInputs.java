package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * The values that an attention with caches reads, and its caches, which it also writes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param cursor U32 [4]: the position of the first row, the number of valid rows, and two words that attention does not
 *     read
 * @param queries F32 [rows][heads * headDim]
 * @param keys F32 [rows][kvHeads * headDim]
 * @param values F32 [rows][kvHeads * headDim]
 * @param keyCache F32 [cacheRows][kvHeads][headDim], normed and rotated
 * @param valueCache F32 [cacheRows][kvHeads][headDim]
 */
public record AttentionInputs(
        NodeId cursor, NodeId queries, NodeId keys, NodeId values, NodeId keyCache, NodeId valueCache) {
    /** Checks that nothing is null. */
    public AttentionInputs {
        Objects.requireNonNull(cursor, "cursor");
        Objects.requireNonNull(queries, "queries");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(keyCache, "keyCache");
        Objects.requireNonNull(valueCache, "valueCache");
    }
}
