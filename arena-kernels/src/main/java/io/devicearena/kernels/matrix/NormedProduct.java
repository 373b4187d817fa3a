package io.devicearena.kernels.matrix;

import java.util.List;

/**
 * The products of normed rows with up to three matrices, of any types, in one dispatch. Queries, keys and values of
 * an attention are one step, and so is the head of a language model.
 *
 * <p>For one to four rows, a row must fit into the memory of a workgroup.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rows the residual stream
 * @param parts the matrices and their outputs, 1 to 3
 */
public record NormedProduct(NormedRows rows, List<ProductPart> parts) implements ProductStep {
    /** Checks that the dimensions fit. */
    public NormedProduct {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > 3) {
            throw new IllegalArgumentException("normed product: expected 1 to 3 matrices, got " + parts.size());
        }
        kernel(rows, parts);
    }

    ProductKernel kernel() {
        return kernel(rows, parts);
    }

    private static ProductKernel kernel(NormedRows rows, List<ProductPart> parts) {
        return new ProductKernel("normed product", new NormedInput(rows), parts, null);
    }
}
