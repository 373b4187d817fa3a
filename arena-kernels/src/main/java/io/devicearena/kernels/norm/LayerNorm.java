package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import java.util.List;
import java.util.Map;

/**
 * Gives each row a mean of 0 and a variance of 1, then weights and a bias: (x - mean) / sqrt(variance + epsilon) *
 * weight + bias.
 *
 * <p>Mean and variance are f32 on a device and f64 on the host. The variance is computed after the mean.
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
 */
public record LayerNorm(NodeId out, NodeId in, NodeId weight, NodeId bias, int rows, int columns, float epsilon)
        implements KernelStep {
    /** Checks the dimensions. */
    public LayerNorm {
        new NormRows(out, in, rows, columns);
    }

    @Override
    public String label() {
        return "layer-norm";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, weight, bias);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        Map<String, Double> constants = Map.of("COLUMNS", (double) columns, "EPSILON", (double) epsilon);
        new NormRows(out, in, rows, columns).record(device, label(), List.of(weight, bias), constants);
    }

    @Override
    public void compute(HostValues host) {
        float[] weights = HostFloats.read(HostFloats.words(host, weight, columns), 0, columns);
        float[] biases = HostFloats.read(HostFloats.words(host, bias, columns), 0, columns);
        new NormRows(out, in, rows, columns).compute(host, row -> {
            double sum = 0;
            for (float x : row) {
                sum += x;
            }
            double mean = sum / columns;
            double squares = 0;
            for (float x : row) {
                squares += (x - mean) * (x - mean);
            }
            double scale = 1 / Math.sqrt(squares / columns + epsilon);
            for (int c = 0; c < columns; c++) {
                row[c] = (float) ((row[c] - mean) * scale * weights[c] + biases[c]);
            }
        });
    }
}
