package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The sum of three rows: of the token, of its place in the sequence, and of the first text.
 *
 * @param out F32 [rows][width]
 * @param words F32 [tokens][width]
 * @param places F32 [places][width]
 * @param types F32 [2][width]
 * @param width elements of a row, a multiple of 4
 * @param shape of the batch
 */
public record EmbeddingSum(NodeId out, NodeId words, NodeId places, NodeId types, int width, BatchShape shape)
        implements KernelStep {
    private static final int WORKGROUP = 128;

    @Override
    public String label() {
        return "embedding";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(words, places, types, shape.ids(), shape.spans(), shape.cursor());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        new Dispatch(device)
                .with("FOURS", width / 4)
                .withFile("embedding")
                .record(
                        label(),
                        Workgroups.covering((long) shape.rows() * width / 4, WORKGROUP),
                        out,
                        words,
                        places,
                        types,
                        shape.ids(),
                        shape.spans(),
                        shape.cursor());
    }

    @Override
    public Runnable bind(HostValues host) {
        ThreadLocal<float[][]> rows = ThreadLocal.withInitial(() -> new float[3][width]);
        IntConsumer sum = row -> add(host, row, rows.get());
        return () -> host.parallel(Floats.word(host, shape.cursor(), 1), sum);
    }

    private void add(HostValues host, int row, float[]... rows) {
        int place = row - Floats.word(host, shape.spans(), 2L * row);
        Floats.read(host, words, (long) Floats.word(host, shape.ids(), row) * width, rows[0], 0, width);
        Floats.read(host, places, (long) place * width, rows[1], 0, width);
        Floats.read(host, types, 0, rows[2], 0, width);
        for (int c = 0; c < width; c++) {
            rows[0][c] += rows[1][c] + rows[2][c];
        }
        Floats.write(host, out, (long) row * width, rows[0], 0, width);
    }
}
