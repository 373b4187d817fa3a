package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.Arrays;
import java.util.List;

/**
 * Attention of each token to all tokens of its sequence. The bias of keys is left out: it adds the same to all scores
 * of a query, and softmax takes that away.
 *
 * @param out F32 [rows][heads * 32]
 * @param queries F32 [rows][heads * 32], without bias
 * @param queryBias F32 [heads * 32]
 * @param keys F32 [rows][heads * 32]
 * @param values F32 [rows][heads * 32], without bias
 * @param valueBias F32 [heads * 32]
 * @param heads their number
 * @param shape of the batch
 */
public record Attention(
        NodeId out,
        NodeId queries,
        NodeId queryBias,
        NodeId keys,
        NodeId values,
        NodeId valueBias,
        int heads,
        BatchShape shape)
        implements KernelStep {
    /** Elements of a head. */
    private static final int HEAD = 32;

    /** Queries of a workgroup, one for each thread. */
    private static final int QUERIES = 32;

    private static final float SCALE = (float) (1 / Math.sqrt(HEAD));

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    /** What a thread needs for the longest sequence so far. */
    private static final class Scratch {
        private float[] keys = {};
        private float[] values = {};
        private float[] weights = {};
        private final float[] row = new float[HEAD];
        private final float[] bias = new float[HEAD];
        private final float[] sum = new float[HEAD];

        void fit(int length) {
            if (weights.length < length) {
                keys = new float[HEAD * length];
                values = new float[HEAD * length];
                weights = new float[length];
            }
        }
    }

    @Override
    public String label() {
        return "attention";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(queries, queryBias, keys, values, valueBias, shape.lengths());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        new Dispatch(device)
                .with("LENGTH", shape.length())
                .with("HEADS", heads)
                .withFile("attention")
                .record(
                        label(),
                        new Workgroups(Math.ceilDiv(shape.length(), QUERIES), heads, shape.sequences()),
                        out,
                        queries,
                        queryBias,
                        keys,
                        values,
                        valueBias,
                        shape.lengths());
    }

    @Override
    public void compute(HostValues host) {
        int sequences = Floats.word(host, shape.cursor(), 1) / shape.length();
        host.parallel(sequences * heads, task -> head(host, task / heads, task % heads));
    }

    private void head(HostValues host, int sequence, int head) {
        int length = Floats.word(host, shape.lengths(), sequence);
        Scratch scratch = SCRATCH.get();
        scratch.fit(shape.length());
        float[] row = scratch.row;
        for (int j = 0; j < length; j++) {
            Floats.read(host, keys, at(sequence, j, head), row, 0, HEAD);
            for (int c = 0; c < HEAD; c++) {
                scratch.keys[c * length + j] = row[c];
            }
            Floats.read(host, values, at(sequence, j, head), scratch.values, j * HEAD, HEAD);
        }
        for (int query = 0; query < length; query++) {
            Floats.read(host, queries, at(sequence, query, head), row, 0, HEAD);
            Floats.read(host, queryBias, (long) head * HEAD, scratch.bias, 0, HEAD);
            for (int c = 0; c < HEAD; c++) {
                row[c] = (row[c] + scratch.bias[c]) * SCALE;
            }
            Floats.read(host, valueBias, (long) head * HEAD, scratch.bias, 0, HEAD);
            mix(scratch, length);
            Floats.write(host, out, at(sequence, query, head), scratch.sum, 0, HEAD);
        }
    }

    private long at(int sequence, int token, int head) {
        return ((long) sequence * shape.length() + token) * heads * HEAD + (long) head * HEAD;
    }

    /** The values, weighted by how well their keys fit the query in the row. */
    private static void mix(Scratch scratch, int length) {
        float[] weights = scratch.weights;
        Arrays.fill(weights, 0, length, 0);
        for (int c = 0; c < HEAD; c++) {
            float element = scratch.row[c];
            int from = c * length;
            for (int j = 0; j < length; j++) {
                weights[j] += element * scratch.keys[from + j];
            }
        }
        float most = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < length; j++) {
            most = Math.max(most, weights[j]);
        }
        double total = 0;
        for (int j = 0; j < length; j++) {
            weights[j] = (float) Math.exp(weights[j] - most);
            total += weights[j];
        }
        Arrays.fill(scratch.sum, 0);
        for (int j = 0; j < length; j++) {
            for (int c = 0; c < HEAD; c++) {
                scratch.sum[c] += weights[j] * scratch.values[j * HEAD + c];
            }
        }
        for (int c = 0; c < HEAD; c++) {
            scratch.sum[c] = (float) (scratch.sum[c] / total) + scratch.bias[c];
        }
    }
}
