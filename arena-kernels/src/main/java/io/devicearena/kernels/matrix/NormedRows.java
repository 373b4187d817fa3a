package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of a fused product: rows of a residual stream, to which an update may be added first, by their RMS norm.
 *
 * <p>With r a row of the residual stream and u one of the update, the sum is s = r, or s = r + u, or s = r + rms(u)
 * with the update's norm. The input of the product is rms(s), where rms(v) = v / sqrt(mean(v²) + epsilon) * weights.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param residual the residual stream, F32 [rows][columns]
 * @param update what is added, or null
 * @param norm the weights of the norm, F32 [columns]
 * @param epsilon above 0
 * @param columns a multiple of 8, 8 or more
 * @param rows of tokens, 1 or more
 * @param cursor U32[4], whose second word is the number of valid rows, or null if all are valid. What is written to
 *     other rows is not defined
 * @param isLastOnly whether only the last valid row is multiplied, and the output has one row; it needs a cursor. Then
 *     {@code update} is added only to this row
 */
public record NormedRows(
        NodeId residual,
        @Nullable Update update,
        NodeId norm,
        float epsilon,
        int columns,
        int rows,
        @Nullable NodeId cursor,
        boolean isLastOnly) {
    /**
     * What is added to the residual stream.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param value the update, F32 [rows][columns]
     * @param norm the weights of its own norm, F32 [columns], or null for none
     * @param sum receives the sum, F32 [rows][columns]; another value than the residual stream
     */
    public record Update(NodeId value, @Nullable NodeId norm, NodeId sum) {
        /** Checks that nothing required is null. */
        public Update {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(sum, "sum");
        }
    }

    /** Checks the dimensions. */
    public NormedRows {
        Objects.requireNonNull(residual, "residual");
        Objects.requireNonNull(norm, "norm");
        if (columns < 8 || columns % 8 != 0 || rows < 1 || !(epsilon > 0)) {
            throw new IllegalArgumentException("normed rows of " + residual
                    + ": expected columns that are a multiple of 8, 1 or more rows and an epsilon above 0, got "
                    + columns + ", " + rows + ", " + epsilon);
        }
        if (isLastOnly && cursor == null) {
            throw new IllegalArgumentException(
                    "normed rows of " + residual + ": expected a cursor for the last row, got none");
        }
        if (update != null && update.sum().equals(residual)) {
            throw new IllegalArgumentException(
                    "normed rows: expected the sum in another value than the residual stream " + residual);
        }
    }

    /**
     * Returns rows of a residual stream without an update.
     *
     * @param residual the residual stream, F32 [rows][columns]
     * @param norm the weights of the norm, F32 [columns]
     * @param epsilon above 0
     * @param columns a multiple of 8
     * @param rows of tokens, 1 or more
     * @return the rows
     */
    public static NormedRows of(NodeId residual, NodeId norm, float epsilon, int columns, int rows) {
        return new NormedRows(residual, null, norm, epsilon, columns, rows, null, false);
    }

    /**
     * Adds an update to the residual stream before the norm.
     *
     * @param value the update, F32 [rows][columns]
     * @param updateNorm the weights of its own norm, F32 [columns], or null for none
     * @param sum receives the sum; another value than the residual stream
     * @return the changed rows
     */
    public NormedRows adding(NodeId value, @Nullable NodeId updateNorm, NodeId sum) {
        Update added = new Update(value, updateNorm, sum);
        return new NormedRows(residual, added, norm, epsilon, columns, rows, cursor, isLastOnly);
    }

    /**
     * Multiplies only the valid rows.
     *
     * @param position the cursor U32[4], whose second word is the number of valid rows, 1 to {@link #rows}
     * @return the changed rows
     */
    public NormedRows validOf(NodeId position) {
        Objects.requireNonNull(position, "position");
        return new NormedRows(residual, update, norm, epsilon, columns, rows, position, false);
    }

    /**
     * Multiplies only the last valid row.
     *
     * @param position the cursor U32[4], whose second word is the number of valid rows, 1 to {@link #rows}
     * @return the changed rows
     */
    public NormedRows lastOf(NodeId position) {
        Objects.requireNonNull(position, "position");
        return new NormedRows(residual, update, norm, epsilon, columns, rows, position, true);
    }

    /** {@return the update, if there is one} */
    Optional<Update> added() {
        return Optional.ofNullable(update);
    }
}
