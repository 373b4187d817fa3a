package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import java.util.List;

/**
 * The first half of a gated feed-forward layer: activation(gate x) * (up x), with x the normed rows.
 *
 * <p>For one to four rows, a row must fit into the memory of a workgroup.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rows the residual stream
 * @param gate the weights of the gate, as many rows as {@code up}
 * @param up the other weights
 * @param activation of the gate
 * @param out receives F32 [rows][up.rows]
 */
public record NormedGatedProduct(NormedRows rows, Matrix gate, Matrix up, Activation activation, NodeId out)
        implements KernelStep {
    /** Checks that the dimensions fit. */
    public NormedGatedProduct {
        kernel(rows, gate, up, activation, out);
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
        return kernel(rows, gate, up, activation, out);
    }

    private static ProductKernel kernel(NormedRows rows, Matrix gate, Matrix up, Activation activation, NodeId out) {
        return ProductKernel.gated("normed gated product", new NormedInput(rows), gate, up, activation, out);
    }
}
