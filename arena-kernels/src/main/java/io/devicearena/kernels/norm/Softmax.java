package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.FloatFunctions;
import java.util.List;

/**
 * Makes the elements of an axis a probability distribution: exp(x - max) / sum(exp(x - max)); or its logarithm.
 *
 * <p>On a device sums are f32; WGSL allows an exponential an error of 3 + 2 |x - max| ULP. On the host exponentials are
 * within 2e-7, that of -87 or less is 1.6e-38 or less, and sums are f64.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [outer][columns][inner]; may be {@code in}
 * @param in F32 [outer][columns][inner]
 * @param outer the product of the dimensions before the axis, 1 or more
 * @param columns the elements of the axis, 1 or more
 * @param inner the product of the dimensions after the axis, 1 or more: 1 for rows
 * @param isLogarithm whether the natural logarithm of the distribution is computed
 */
public record Softmax(NodeId out, NodeId in, int outer, int columns, int inner, boolean isLogarithm)
        implements KernelStep {
    /** Checks the dimensions. */
    public Softmax {
        NormRows.ofAxis(out, in, outer, columns, inner);
    }

    /**
     * Makes a step for rows.
     *
     * @param out receives F32 [rows][columns]; may be {@code in}
     * @param in F32 [rows][columns]
     * @param rows 1 or more
     * @param columns 1 or more
     */
    public Softmax(NodeId out, NodeId in, int rows, int columns) {
        this(out, in, rows, columns, 1, false);
    }

    @Override
    public String label() {
        return "softmax";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        NormRows rows = rowsOf();
        rows.kernel(device, label())
                .set("ROWS", rows.rows())
                .set("INNER", inner)
                .set("LOGARITHM", isLogarithm ? 1 : 0)
                .dispatch(label(), rows.rows());
    }

    private NormRows rowsOf() {
        return NormRows.ofAxis(out, in, outer, columns, inner);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            float most = RowSums.largest(row);
            if (isLogarithm) {
                float[] shares = row.clone();
                exponentials(shares, most);
                subtract(row, most + Math.log(RowSums.differences(shares, 0)));
            } else {
                exponentials(row, most);
                multiply(row, (float) (1 / RowSums.differences(row, 0)));
            }
        });
    }

    private static void exponentials(float[] row, float most) {
        for (int c = 0; c < row.length; c++) {
            row[c] = FloatFunctions.exp(row[c] - most);
        }
    }

    private static void multiply(float[] row, float factor) {
        for (int c = 0; c < row.length; c++) {
            row[c] *= factor;
        }
    }

    private static void subtract(float[] row, double less) {
        for (int c = 0; c < row.length; c++) {
            row[c] = (float) (row[c] - less);
        }
    }
}
