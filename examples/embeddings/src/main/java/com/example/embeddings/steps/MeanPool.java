package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.Arrays;
import java.util.List;

/**
 * The mean of the rows of each sequence, brought to length 1. The sum has the same direction, so nothing is divided by
 * the number of rows.
 *
 * @param out F32 [sequences][384]
 * @param in F32 [rows][384]
 * @param shape of the batch
 */
public record MeanPool(NodeId out, NodeId in, BatchShape shape) implements KernelStep {
    private static final ThreadLocal<float[][]> ROWS = ThreadLocal.withInitial(() -> new float[2][NormOf.COLUMNS]);

    @Override
    public String label() {
        return "mean-pool";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, shape.lengths());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        new Dispatch(device)
                .with("LENGTH", shape.length())
                .withFile("total")
                .withFile("mean-pool")
                .record(label(), Workgroups.of(shape.sequences()), out, in, shape.lengths());
    }

    @Override
    public void compute(HostValues host) {
        int sequences = Floats.word(host, shape.cursor(), 1) / shape.length();
        host.parallel(sequences, sequence -> {
            float[] sum = ROWS.get()[0];
            float[] row = ROWS.get()[1];
            Arrays.fill(sum, 0);
            int length = Floats.word(host, shape.lengths(), sequence);
            for (int t = 0; t < length; t++) {
                long at = ((long) sequence * shape.length() + t) * NormOf.COLUMNS;
                Floats.read(host, in, at, row, 0, NormOf.COLUMNS);
                for (int c = 0; c < NormOf.COLUMNS; c++) {
                    sum[c] += row[c];
                }
            }
            double squares = 0;
            for (float element : sum) {
                squares += (double) element * element;
            }
            float scale = (float) (1 / Math.sqrt(Math.max(squares, Float.MIN_NORMAL)));
            for (int c = 0; c < NormOf.COLUMNS; c++) {
                sum[c] *= scale;
            }
            Floats.write(host, out, (long) sequence * NormOf.COLUMNS, sum, 0, NormOf.COLUMNS);
        });
    }
}
