package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import java.util.List;
import java.util.Map;

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
        implements KernelStep {
    /** Checks the dimensions. */
    public RmsNorm {
        new NormRows(out, in, rows, columns);
    }

    @Override
    public String label() {
        return "rms-norm";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, weight);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        Map<String, Double> constants = Map.of("COLUMNS", (double) columns, "EPSILON", (double) epsilon);
        new NormRows(out, in, rows, columns).record(device, label(), List.of(weight), constants);
    }

    @Override
    public void compute(HostValues host) {
        float[] weights = HostFloats.read(HostFloats.words(host, weight, columns), 0, columns);
        new NormRows(out, in, rows, columns).compute(host, row -> {
            double squares = 0;
            for (float x : row) {
                squares += (double) x * x;
            }
            float scale = (float) (1 / Math.sqrt(squares / columns + epsilon));
            for (int c = 0; c < columns; c++) {
                row[c] *= scale * weights[c];
            }
        });
    }
}
