package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.FloatFunctions;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.RowSums;
import java.util.List;

/**
 * Makes the elements of an axis a probability distribution: exp(x - max) / sum(exp(x - max)); or its logarithm.
 *
 * <p>On a device sums are f32; WGSL allows an exponential an error of 3 + 2 |x - max| ULP. On the host exponentials are
 * within 2e-7, that of -87 or less is 1.6e-38 or less, and sums are f64.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 of the shape; may be {@code in}
 * @param in F32 of the shape
 * @param shape dimensions of 1 or more
 * @param axis the number of the dimension; less than 0 counts from the end
 * @param isLogarithm whether the natural logarithm of the distribution is computed
 */
public record Softmax(NodeId out, NodeId in, List<Long> shape, long axis, boolean isLogarithm)
        implements OneInputStep, CudaStep {
    /** Checks the shape. */
    public Softmax {
        shape = List.copyOf(shape);
        rowsOf(out, in, shape, axis);
    }

    @Override
    public void record(StepRecorder device) {
        NormRows rows = rowsOf();
        rows.kernel(device, label())
                .set("ROWS", rows.rows())
                .set("INNER", rows.inner())
                .set("LOGARITHM", isLogarithm ? 1 : 0)
                .dispatch(label(), rows.rows());
    }

    @Override
    public void record(CudaRecorder device) {
        NormRows rows = rowsOf();
        rows.kernel(CudaKernel.of(device, "softmax"))
                .job(rows.columns(), rows.inner(), isLogarithm ? 1 : 0)
                .launch(label(), (long) rows.rows() * NormRows.THREADS, NormRows.THREADS);
    }

    private NormRows rowsOf() {
        return rowsOf(out, in, shape, axis);
    }

    private static NormRows rowsOf(NodeId out, NodeId in, List<Long> shape, long axis) {
        int dimension = Loops.axis(axis, shape);
        long inner = Loops.product(shape.subList(dimension + 1, shape.size()));
        int columns = Math.toIntExact(shape.get(dimension));
        int rows = Math.toIntExact(Loops.product(shape.subList(0, dimension)) * inner);
        return new NormRows(out, in, List.of(), rows, columns, Math.toIntExact(inner), null);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            float most = RowSums.largest(row);
            if (isLogarithm) {
                float[] shares = row.clone();
                exponentials(shares, most);
                subtract(row, most + Math.log(RowSums.sum(shares)));
            } else {
                exponentials(row, most);
                multiply(row, (float) (1 / RowSums.sum(row)));
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
