package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * Makes each row a probability distribution: exp(x - max) / sum(exp(x - max)).
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [rows][columns]; may be {@code in}
 * @param in F32 [rows][columns]
 * @param rows 1 or more
 * @param columns 1 or more
 */
public record Softmax(NodeId out, NodeId in, int rows, int columns) implements KernelStep {
    /** Checks the dimensions. */
    public Softmax {
        new NormRows(out, in, List.of(), rows, columns);
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
        rowsOf().kernel(device, label()).dispatch(label(), Workgroups.of(rows));
    }

    private NormRows rowsOf() {
        return new NormRows(out, in, List.of(), rows, columns);
    }

    @Override
    public Runnable bind(HostValues host) {
        return rowsOf().bind(host, (row, weights) -> {
            float most = row[0];
            for (float x : row) {
                most = Math.max(most, x);
            }
            double sum = 0;
            for (int c = 0; c < columns; c++) {
                row[c] = (float) Math.exp(row[c] - most);
                sum += row[c];
            }
            for (int c = 0; c < columns; c++) {
                row[c] = (float) (row[c] / sum);
            }
        });
    }
}
