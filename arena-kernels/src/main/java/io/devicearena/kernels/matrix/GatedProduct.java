package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.Activation;

/**
 * The first half of a gated feed-forward layer: activation(gate in) * (up in).
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [rowsOfTokens][up.rows]
 * @param in F32 [rowsOfTokens][up.columns]
 * @param gate the weights of the gate, as many rows as {@code up}
 * @param up the other weights
 * @param activation of the gate
 * @param rowsOfTokens 1 or more
 */
public record GatedProduct(NodeId out, NodeId in, Matrix gate, Matrix up, Activation activation, int rowsOfTokens)
        implements ProductStep {
    /** Checks that the dimensions fit. */
    public GatedProduct {
        kernel(out, in, gate, up, activation, rowsOfTokens);
    }

    ProductKernel kernel() {
        return kernel(out, in, gate, up, activation, rowsOfTokens);
    }

    private static ProductKernel kernel(
            NodeId out, NodeId in, Matrix gate, Matrix up, Activation activation, int rowsOfTokens) {
        return ProductKernel.gated(
                "gated product",
                new PlainInput(in, up.columns(), rowsOfTokens, null, false),
                gate,
                up,
                activation,
                out);
    }
}
