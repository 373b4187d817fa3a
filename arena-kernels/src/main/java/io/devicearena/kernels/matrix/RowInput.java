package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a product multiplies: rows of floats, on a device and on the host. */
interface RowInput {
    int columns();

    /** Rows that the step reads. */
    int tokens();

    /** The cursor, or null: all rows are valid. */
    @Nullable NodeId cursor();

    /** Whether only the last valid row is multiplied. */
    boolean isLastOnly();

    /** Whether there is a kernel for many rows. */
    boolean hasTiles();

    /** Whether a workgroup keeps a row in its memory. */
    boolean isStaged();

    /** Whether rows are bytes, with a scale for each 32. */
    boolean isRounded();

    /** The values, weights of norms included. */
    List<NodeId> reads();

    List<NodeId> writes();

    /** Adds what the kernel needs: bindings, constants, and functions {@code prepare} and {@code input}. */
    void addTo(ProductText text, boolean tiles);

    /**
     * Computes a row on the host, and writes the sum of the residual stream.
     *
     * @param to receives the row, at its start
     * @param spare memory for as many floats, which holds anything
     */
    void stage(HostValues host, int token, float[] to, float[] spare);
}
