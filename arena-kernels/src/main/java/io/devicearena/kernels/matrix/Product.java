package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The product of rows of floats with a matrix of weights: out[t][r] is the sum over c of in[t][c] * matrix[r][c].
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the product, F32 [rowsOfTokens][matrix.rows]
 * @param in F32 [rowsOfTokens][matrix.columns]
 * @param matrix the weights, of columns that are a multiple of 8
 * @param rowsOfTokens 1 or more
 * @param cursor U32[4], whose second word is the number of valid rows, or null if all are valid. What is written to
 *     other rows is not defined
 */
public record Product(
        NodeId out,
        NodeId in,
        Matrix matrix,
        int rowsOfTokens,
        @Nullable NodeId cursor) implements KernelStep {
    /** Checks that the dimensions fit. */
    public Product {
        kernel(out, in, matrix, rowsOfTokens, cursor);
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
    public void compute(HostValues host) {
        bind(host).run();
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostProduct(kernel(), host);
    }

    private ProductKernel kernel() {
        return kernel(out, in, matrix, rowsOfTokens, cursor);
    }

    private static ProductKernel kernel(
            NodeId out, NodeId in, Matrix matrix, int rowsOfTokens, @Nullable NodeId cursor) {
        return ProductKernel.of("product", new PlainInput(in, matrix.columns(), rowsOfTokens, cursor), matrix, out);
    }
}
