package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * Norms of each head of queries and keys by its root mean square, before it is rotated.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> A. Henry et al., Query-Key Normalization for Transformers, 2020; with the norm of B. Zhang and R.
 * Sennrich, Root Mean Square Layer Normalization, equation 4.
 *
 * @param query the weights for queries, F32 [headDim]
 * @param key the weights for keys, F32 [headDim]
 * @param epsilon added to the mean square, 0 or more
 */
public record HeadNorms(NodeId query, NodeId key, float epsilon) {
    /** Checks the range. */
    public HeadNorms {
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(key, "key");
        if (!(epsilon >= 0) || epsilon == Float.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("epsilon: expected a finite number, 0 or more, got " + epsilon);
        }
    }
}
