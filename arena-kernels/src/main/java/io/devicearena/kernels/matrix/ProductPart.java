package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * A matrix of a fused product, and where its elements go: some columns of a value.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param matrix the weights
 * @param out the value of F32 that is written
 * @param outColumns the elements of a row of {@code out}, 1 or more
 * @param firstColumn where the matrix's first element goes, 0 or more; all of its rows fit after it
 */
public record ProductPart(Matrix matrix, NodeId out, int outColumns, int firstColumn) {
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
        return new ProductPart(matrix, out, matrix.rows(), 0);
    }
}
