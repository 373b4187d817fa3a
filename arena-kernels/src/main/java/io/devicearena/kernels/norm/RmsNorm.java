package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.RowSums;
import java.util.List;

/**
 * Divides each row by its root mean square, and multiplies it by weights: x / sqrt(mean(x²) + epsilon) * weight.
 *
 * <p>The sum of squares is f32 on a device and f64 on the host.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, equation 4.
 *
 * @param out receives F32 [rows][columns]; may be {@code in}
 * @param in F32 [rows][columns]
 * @param weight F32 [columns]
 * @param rows 1 or more
 * @param columns 1 or more
 * @param epsilon added to the mean, 0 or more
 */
public record RmsNorm(NodeId out, NodeId in, NodeId weight, int rows, int columns, float epsilon)
        implements OneOutputStep {
    /** Checks the dimensions. */
    public RmsNorm {
        new NormRows(out, in, List.of(weight), rows, columns, 1, null);
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, weight);
    }

    @Override
    public void record(StepRecorder device) {
        rowsOf().kernel(device, label(), "weight").set("EPSILON", epsilon).dispatch(label(), Workgroups.of(rows));
    }

    private NormRows rowsOf() {
        return new NormRows(out, in, List.of(weight), rows, columns, 1, null);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            float scale = RowSums.norm(row, columns, epsilon);
            for (int c = 0; c < columns; c++) {
                row[c] *= scale * weights[0][c];
            }
        });
    }
}
