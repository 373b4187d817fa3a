package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.Activation;

/**
 * The first half of a gated feed-forward layer: activation(gate x) * (up x), with x the normed rows.
 *
 * <p>For one to four rows, a row must fit into the memory of a workgroup.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [rows][up.rows]
 * @param rows the residual stream
 * @param gate the weights of the gate, as many rows as {@code up}
 * @param up the other weights
 * @param activation of the gate
 */
public record NormedGatedProduct(NodeId out, NormedRows rows, Matrix gate, Matrix up, Activation activation)
        implements ProductStep {
    /** Checks that the dimensions fit. */
    public NormedGatedProduct {
        kernel(rows, gate, up, activation, out);
    }

    ProductKernel kernel() {
        return kernel(rows, gate, up, activation, out);
    }

    private static ProductKernel kernel(NormedRows rows, Matrix gate, Matrix up, Activation activation, NodeId out) {
        return ProductKernel.gated("normed gated product", new NormedInput(rows), gate, up, activation, out);
    }
}
