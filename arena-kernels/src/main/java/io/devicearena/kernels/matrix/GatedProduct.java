package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import java.util.List;

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
        implements KernelStep {
    /** Checks that the dimensions fit. */
    public GatedProduct {
        kernel(out, in, gate, up, activation, rowsOfTokens);
    }

    @Override
    public String label() {
        return kernel().label();
    }

    @Override
    public List<NodeId> reads() {
        return kernel().reads();
    }

    @Override
    public List<NodeId> writes() {
        return kernel().writes();
    }

    @Override
    public void record(StepRecorder device) {
        record(device, true);
    }

    /** Without subgroups, as on a device that has none, if {@code subgroups} is false. */
    void record(StepRecorder device, boolean subgroups) {
        kernel().record(device, subgroups);
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostProduct(kernel(), host);
    }

    private ProductKernel kernel() {
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
