package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
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
 * @param weight F32 [columns]
 * @param bias F32 [columns]
 * @param rows 1 or more
 * @param columns 1 or more
 * @param epsilon added to the variance, 0 or more
 * @param cursor U32 [4], whose second word is the number of valid rows, or null if all are valid. Other rows are not
 *     written
 */
public record LayerNorm(
        NodeId out,
        NodeId in,
        NodeId weight,
        NodeId bias,
        int rows,
        int columns,
        float epsilon,
        @Nullable NodeId cursor)
        implements KernelStep {
    /** Checks the dimensions. */
    public LayerNorm {
        new NormRows(out, in, List.of(weight, bias), rows, columns, 1, cursor);
    }

    @Override
    public String label() {
        return "layer-norm";
    }

    @Override
    public List<NodeId> reads() {
        return Stream.concat(Stream.of(in, weight, bias), Stream.ofNullable(cursor))
                .toList();
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        rowsOf().kernel(device, label(), "weight", "bias")
                .set("EPSILON", epsilon)
                .dispatch(label(), Workgroups.of(rows));
    }

    private NormRows rowsOf() {
        return new NormRows(out, in, List.of(weight, bias), rows, columns, 1, cursor);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            double mean = RowSums.differences(row, 0) / columns;
            double variance = RowSums.squares(row, mean) / columns;
            scale((float) mean, (float) (1 / Math.sqrt(variance + epsilon)), row, weights[0], weights[1]);
        });
    }

    private static void scale(float mean, float scale, float[] row, float[] weights, float[] biases) {
        for (int c = 0; c < row.length; c++) {
            row[c] = (row[c] - mean) * scale * weights[c] + biases[c];
        }
    }
}
