package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;

/**
 * Puts the splits of an attention over one row together, and multiplies by the weights of its output.
 *
 * <p>This is for one row. An attention over many rows has no splits: use {@link Product} after it. The row must fit
 * into the memory of a workgroup.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [matrix.rows]
 * @param partials F32 [heads][splits][headDim + 4]: the sum of the weighted values, then the largest score, then the
 *     sum of exp(score - largest). A split without positions has a sum of 0
 * @param matrix the weights, of heads * headDim columns
 * @param heads 1 or more
 * @param headDim a multiple of 4
 * @param splits 1 or more
 */
public record AttentionProduct(NodeId out, NodeId partials, Matrix matrix, int heads, int headDim, int splits)
        implements ProductStep {
    /** Checks that the dimensions fit. */
    public AttentionProduct {
        kernel(out, partials, matrix, heads, headDim, splits);
    }

    ProductKernel kernel() {
        return kernel(out, partials, matrix, heads, headDim, splits);
    }

    private static ProductKernel kernel(
            NodeId out, NodeId partials, Matrix matrix, int heads, int headDim, int splits) {
        return ProductKernel.of("attention product", new AttentionInput(partials, heads, headDim, splits), matrix, out);
    }
}
