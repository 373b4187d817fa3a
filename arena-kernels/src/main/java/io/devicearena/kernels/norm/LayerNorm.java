package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.RowSums;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives each row a mean of 0 and a variance of 1, then weights and a bias: (x - mean) / sqrt(variance + epsilon) *
 * weight + bias.
 *
 * <p>Mean and variance are f32 on a device and f64 on the host. The variance is computed after the mean. On the host a
 * run of a bound step allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> J. Ba, J. Kiros and G. Hinton, Layer Normalization, equations 3 and 4.
 *
 * @param out receives F32 [rows][columns]; may be {@code in}
 * @param in F32 [rows][columns]
 * @param weight F32 [columns], or null for none
 * @param bias F32 [columns], or null for none if there is no weight
 * @param rows 1 or more
 * @param columns 1 or more
 * @param epsilon added to the variance, 0 or more
 * @param cursor U32 [4], whose second word is the number of valid rows, or null if all are valid. Other rows are not
 *     written
 */
public record LayerNorm(
        NodeId out,
        NodeId in,
        @Nullable NodeId weight,
        @Nullable NodeId bias,
        int rows,
        int columns,
        float epsilon,
        @Nullable NodeId cursor)
        implements OneOutputStep, CudaStep {
    /** Checks the dimensions, and that a weight has a bias. */
    public LayerNorm {
        if ((weight == null) != (bias == null)) {
            throw new IllegalArgumentException(
                    "layer-norm of " + in + ": expected a weight and a bias or none, got " + weight + " and " + bias);
        }
        new NormRows(out, in, List.of(), rows, columns, 1, cursor);
    }

    private List<NodeId> weights() {
        return Stream.concat(Stream.ofNullable(weight), Stream.ofNullable(bias)).toList();
    }

    @Override
    public List<NodeId> reads() {
        return Stream.of(Stream.of(in), weights().stream(), Stream.ofNullable(cursor))
                .flatMap(all -> all)
                .toList();
    }

    @Override
    public void record(StepRecorder device) {
        StepKernel kernel = weight == null
                ? rowsOf().kernel(device, label()).use("WEIGHTS", "norm/no-weights")
                : rowsOf().kernel(device, label(), "weight", "bias");
        kernel.set("EPSILON", epsilon).dispatch(label(), Workgroups.of(rows));
    }

    @Override
    public void record(CudaRecorder device) {
        rowsOf().kernel(CudaKernel.of(device, "layer_norm"))
                .read(weight, (long) columns * Float.BYTES)
                .read(bias, (long) columns * Float.BYTES)
                .read(cursor, Cursor.BYTES)
                .job(columns, Float.floatToRawIntBits(epsilon))
                .launch(label(), (long) rows * NormRows.THREADS, NormRows.THREADS);
    }

    private NormRows rowsOf() {
        return new NormRows(out, in, weights(), rows, columns, 1, cursor);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            double mean = RowSums.sum(row) / columns;
            double variance = RowSums.squares(row, columns, mean) / columns;
            scale((float) mean, (float) (1 / Math.sqrt(variance + epsilon)), row);
            if (weights.length > 0) {
                BinaryOperation.MULTIPLY.apply(row, weights[0], row, columns);
                BinaryOperation.ADD.apply(row, weights[1], row, columns);
            }
        });
    }

    private static void scale(float mean, float scale, float[] row) {
        for (int c = 0; c < row.length; c++) {
            row[c] = (row[c] - mean) * scale;
        }
    }
}
