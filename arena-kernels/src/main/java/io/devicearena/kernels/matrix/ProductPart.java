package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A matrix of a fused product, and where its elements go: some columns of a value.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param matrix the weights
 * @param out the value of F32 that is written
 * @param outColumns the elements of a row of {@code out}, 1 or more
 * @param firstColumn where the matrix's first element goes, 0 or more; all of its rows fit after it
 * @param bias what is added to each product, F32 [matrix.rows], or null
 */
public record ProductPart(
        Matrix matrix,
        NodeId out,
        int outColumns,
        int firstColumn,
        @Nullable NodeId bias) {
    /** Checks the columns. */
    public ProductPart {
        Objects.requireNonNull(matrix, "matrix");
        Objects.requireNonNull(out, "out");
        if (firstColumn < 0 || (long) firstColumn + matrix.rows() > outColumns) {
            throw new IllegalArgumentException("part " + out + ": expected " + matrix.rows() + " columns from "
                    + firstColumn + " on to be within " + outColumns);
        }
    }

    /**
     * Returns a part that writes all of a value.
     *
     * @param matrix the weights
     * @param out the value, of as many columns as the matrix has rows
     * @return the part
     */
    public static ProductPart whole(Matrix matrix, NodeId out) {
        return new ProductPart(matrix, out, matrix.rows(), 0, null);
    }

    /**
     * Returns this part with a bias.
     *
     * @param added F32 [matrix.rows], or null
     * @return the part
     */
    public ProductPart withBias(@Nullable NodeId added) {
        return new ProductPart(matrix, out, outColumns, firstColumn, added);
    }
}
