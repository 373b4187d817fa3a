package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a product multiplies: rows of floats, on a device and on the host. */
sealed interface RowInput permits PlainInput, NormedInput, AttentionInput {
    int columns();

    /** Rows that the step reads. */
    int tokens();

    /** The cursor, or null: all rows are valid. */
    default @Nullable NodeId cursor() {
        return null;
    }

    /** Whether only the last valid row is multiplied. */
    default boolean isLastOnly() {
        return false;
    }

    /** Whether there is a kernel for many rows. */
    default boolean hasTiles() {
        return false;
    }

    /** Whether a workgroup keeps a row in its memory. */
    default boolean isStaged() {
        return true;
    }

    /** Whether rows are bytes, with a scale for each 32. */
    default boolean isRounded() {
        return false;
    }

    /** The values, weights of norms included. */
    List<NodeId> reads();

    default List<NodeId> writes() {
        return List.of();
    }

    /** Adds what the kernel needs: bindings, numbers, and the file with {@code prepare} and {@code input}. */
    void addTo(StepKernel kernel, boolean tiles);

    /**
     * Computes a row on the host, and writes the sum of the residual stream.
     *
     * @param to receives the row, at its start
     * @param spare memory for as many floats, which holds anything
     */
    void stage(HostValues host, int token, float[] to, float[] spare);
}
