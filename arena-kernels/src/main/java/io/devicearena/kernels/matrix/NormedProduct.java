package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * The products of normed rows with up to three matrices, of any types, in one dispatch. Queries, keys and values of
 * an attention are one step, and so is the head of a language model.
 *
 * <p>For one to four rows, a row must fit into the memory of a workgroup.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rows the residual stream
 * @param parts the matrices and their outputs, 1 to 3
 */
public record NormedProduct(NormedRows rows, List<ProductPart> parts) implements KernelStep {
    /** Checks that the dimensions fit. */
    public NormedProduct {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > 3) {
            throw new IllegalArgumentException("normed product: expected 1 to 3 matrices, got " + parts.size());
        }
        kernel(rows, parts);
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
        return kernel(rows, parts);
    }

    private static ProductKernel kernel(NormedRows rows, List<ProductPart> parts) {
        return new ProductKernel("normed product", new NormedInput(rows), parts, null);
    }
}
