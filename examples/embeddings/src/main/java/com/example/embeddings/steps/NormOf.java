package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.Workgroups;

/** The layer norm of rows of 384 that a step makes: what {@link EmbeddingNorm} and {@link SumNorm} share. */
record NormOf(NodeId out, NodeId weight, NodeId bias, BatchShape shape) {
    static final int COLUMNS = 384;

    /** Added to the variance; that of the model. */
    private static final double EPSILON = 1e-12;

    private static final ThreadLocal<float[][]> ROWS = ThreadLocal.withInitial(() -> new float[3][COLUMNS]);

    /** Makes a row; there are two others to use. */
    interface RowMaker {
        void make(int row, float[] to, float[] second, float[] third);
    }

    /** Records the kernel whose function {@code element} is in a file; its values are bound from binding 4 on. */
    void record(StepRecorder device, String file, NodeId... values) {
        NodeId[] bound = new NodeId[4 + values.length];
        bound[0] = out;
        bound[1] = weight;
        bound[2] = bias;
        bound[3] = shape.cursor();
        System.arraycopy(values, 0, bound, 4, values.length);
        new Dispatch(device)
                .with("LENGTH", shape.length())
                .withFile("total")
                .withFile(file)
                .withFile("norm")
                .record(file, Workgroups.of(shape.rows()), bound);
    }

    void compute(HostValues host, RowMaker maker) {
        host.parallel(Floats.word(host, shape.cursor(), 1), row -> {
            float[][] rows = ROWS.get();
            float[] x = rows[0];
            maker.make(row, x, rows[1], rows[2]);
            double sum = 0;
            for (float element : x) {
                sum += element;
            }
            double mean = sum / COLUMNS;
            double squares = 0;
            for (float element : x) {
                squares += (element - mean) * (element - mean);
            }
            float scale = (float) (1 / Math.sqrt(squares / COLUMNS + EPSILON));
            float middle = (float) mean;
            Floats.read(host, weight, 0, rows[1], 0, COLUMNS);
            Floats.read(host, bias, 0, rows[2], 0, COLUMNS);
            for (int c = 0; c < COLUMNS; c++) {
                x[c] = (x[c] - middle) * scale * rows[1][c] + rows[2][c];
            }
            Floats.write(host, out, (long) row * COLUMNS, x, 0, COLUMNS);
        });
    }
}
