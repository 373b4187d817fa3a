package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.List;

/**
 * Adds a bias to each row and applies GELU, in place.
 *
 * <p>The host looks GELU up in a table of 8,192 steps of 1/512 and takes the line between two entries: within 4e-7, as
 * its second derivative is at most 0.8.
 *
 * @param rows F32 [rows][columns]
 * @param bias F32 [columns]
 * @param columns a multiple of 4
 * @param shape of the batch
 */
public record BiasGelu(NodeId rows, NodeId bias, int columns, BatchShape shape) implements KernelStep {
    private static final int WORKGROUP = 256;
    private static final float LIMIT = 8;
    private static final float STEPS = 512; // for each 1
    private static final float[] TABLE = table();

    private static final ThreadLocal<float[][]> ROWS = ThreadLocal.withInitial(() -> new float[2][0]);

    private static float[] table() {
        float[] table = new float[(int) (2 * LIMIT * STEPS) + 2];
        for (int i = 0; i < table.length; i++) {
            table[i] = Activation.GELU_ERF.apply(i / STEPS - LIMIT);
        }
        return table;
    }

    @Override
    public String label() {
        return "bias-gelu";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(rows, bias, shape.cursor());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(rows);
    }

    @Override
    public void record(StepRecorder device) {
        long fours = (long) shape.rows() * columns / 4;
        new Dispatch(device)
                .with("COLUMNS", columns)
                .withText(Activation.GELU_ERF.wgsl())
                .withFile("bias-gelu")
                .record(label(), Workgroups.covering(fours, WORKGROUP), rows, bias, shape.cursor());
    }

    @Override
    public void compute(HostValues host) {
        host.parallel(Floats.word(host, shape.cursor(), 1), row -> {
            float[][] scratch = ROWS.get();
            if (scratch[0].length < columns) {
                scratch[0] = new float[columns];
                scratch[1] = new float[columns];
            }
            float[] x = scratch[0];
            float[] added = scratch[1];
            Floats.read(host, rows, (long) row * columns, x, 0, columns);
            Floats.read(host, bias, 0, added, 0, columns);
            for (int c = 0; c < columns; c++) {
                x[c] = gelu(x[c] + added[c]);
            }
            Floats.write(host, rows, (long) row * columns, x, 0, columns);
        });
    }

    private static float gelu(float x) {
        if (!(x > -LIMIT && x < LIMIT)) {
            return x > 0 ? x : x * 0; // a NaN stays one
        }
        float at = (x + LIMIT) * STEPS;
        int i = (int) at;
        float low = TABLE[i];
        return low + (at - i) * (TABLE[i + 1] - low);
    }
}
