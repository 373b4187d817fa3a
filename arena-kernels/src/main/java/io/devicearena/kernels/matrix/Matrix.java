package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * A matrix of weights in an arena, row after row.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value that holds it
 * @param format how its elements are stored
 * @param rows 1 or more
 * @param columns the elements of a row, 1 or more, a multiple of the block of the format
 */
public record Matrix(NodeId id, WeightFormat format, int rows, int columns) {
    /** Checks the dimensions. */
    public Matrix {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(format, "format");
        if (rows < 1 || columns < 1 || columns % format.blockElements() != 0) {
            throw new IllegalArgumentException(
                    "matrix " + id + ": expected 1 or more rows, and columns that are a multiple of "
                            + format.blockElements() + " for " + format + ", got " + rows + " x " + columns);
        }
    }

    /** {@return the bytes of the matrix in the arena} */
    public long bytes() {
        return rows * format.rowBytes(columns);
    }
}
