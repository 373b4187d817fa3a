package com.example.minilm;

import static com.example.minilm.Bert.HEAD;
import static com.example.minilm.Bert.HIDDEN;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/** Loops over the arena's own memory. */
record CpuExecution(Bert graph, DeviceArena arena) implements MiniLm.Execution {
    @Override
    public synchronized void run(int[] ids, float[] mask, float[] embedding) {
        arena.writeValue(graph.ids, DType.I32, MemorySegment.ofArray(ids));
        arena.writeInputF32(graph.mask, DType.F32, mask);
        for (Bert.Node node : graph.steps()) {
            arena.step(node.name(), node.inputs(), List.of(node.id()), () -> run(node, ids));
        }
        arena.readOutputF32(graph.output, DType.F32, embedding);
    }

    private void run(Bert.Node node, int[] ids) {
        List<FloatBuffer> in = node.inputs().stream().map(this::floats).toList();
        FloatBuffer y = floats(node.id());
        switch (node.kind()) {
            case EMBED -> embed(ids, in.get(1), in.get(2), in.get(3), y);
            case NORM -> norm(in.get(0), in.get(1), in.get(2), in.get(3), y);
            case LINEAR -> linear(node.columns(), in.get(0), in.get(1), in.get(2), y);
            case ATTENTION -> attention(in.get(0), in.get(1), in.get(2), in.get(3), y);
            case POOL -> pool(in.get(0), in.get(1), y);
            case DATA -> throw new IllegalStateException(node.name() + " is no step");
        }
    }

    private FloatBuffer floats(NodeId id) {
        long offset = arena.byteOffset(id).orElseThrow();
        ByteBuffer bytes = arena.hostMemory().asSlice(offset, arena.lengthBytes(id)).asByteBuffer();
        return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /** The dot product of two runs of elements, in four sums that do not wait for each other. */
    private static float dot(FloatBuffer a, int i, FloatBuffer b, int k, int count) {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int c = 0; c < count; c += 4) {
            s0 += a.get(i + c) * b.get(k + c);
            s1 += a.get(i + c + 1) * b.get(k + c + 1);
            s2 += a.get(i + c + 2) * b.get(k + c + 2);
            s3 += a.get(i + c + 3) * b.get(k + c + 3);
        }
        return s0 + s1 + (s2 + s3);
    }

    private static void embed(int[] ids, FloatBuffer words, FloatBuffer positions, FloatBuffer types, FloatBuffer y) {
        for (int i = 0; i < y.capacity(); i++) {
            y.put(i, words.get(ids[i / HIDDEN] * HIDDEN + i % HIDDEN) + positions.get(i) + types.get(i % HIDDEN));
        }
    }

    private static void norm(FloatBuffer x, FloatBuffer residual, FloatBuffer gamma, FloatBuffer beta, FloatBuffer y) {
        for (int row = 0; row < y.capacity(); row += HIDDEN) {
            double sum = 0, squares = 0;
            for (int i = row; i < row + HIDDEN; i++) {
                y.put(i, x.get(i) + residual.get(i));
                sum += y.get(i);
            }
            for (int i = row; i < row + HIDDEN; i++) {
                squares += Math.pow(y.get(i) - sum / HIDDEN, 2);
            }
            double scale = 1 / Math.sqrt(squares / HIDDEN + 1e-12);
            for (int c = 0; c < HIDDEN; c++) {
                y.put(row + c, (float) ((y.get(row + c) - sum / HIDDEN) * scale) * gamma.get(c) + beta.get(c));
            }
        }
    }

    private void linear(int rows, FloatBuffer x, FloatBuffer w, FloatBuffer bias, FloatBuffer y) {
        int n = x.capacity() / graph.tokens;
        for (int r = 0; r < rows; r++) {
            for (int t = 0; t < graph.tokens; t++) {
                float sum = dot(x, t * n, w, r * n, n) + bias.get(r);
                y.put(t * rows + r, rows == Bert.INNER ? gelu(sum) : sum);
            }
        }
    }

    /** x (1 + erf(x / sqrt 2)) / 2, with erf by Abramowitz and Stegun 7.1.26, within 1.5e-7. */
    private static float gelu(double x) {
        double a = Math.abs(x) / Math.sqrt(2);
        double t = 1 / (1 + 0.3275911 * a);
        double p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
        return (float) (0.5 * x * (1 + Math.signum(x) * (1 - p * Math.exp(-a * a))));
    }

    private void attention(FloatBuffer queries, FloatBuffer mask, FloatBuffer keys, FloatBuffer values, FloatBuffer y) {
        double[] weights = new double[graph.tokens];
        for (int query = 0; query < y.capacity(); query += HEAD) {
            int head = query % HIDDEN;
            for (int j = 0; j < graph.tokens; j++) {
                double score = dot(queries, query, keys, j * HIDDEN + head, HEAD) / Math.sqrt(HEAD);
                weights[j] = mask.get(j) == 0 ? Double.NEGATIVE_INFINITY : score;
            }
            double most = Arrays.stream(weights).max().orElseThrow();
            Arrays.setAll(weights, j -> Math.exp(weights[j] - most));
            double total = Arrays.stream(weights).sum();
            for (int c = 0; c < HEAD; c++) {
                double mixed = 0;
                for (int j = 0; j < graph.tokens; j++) {
                    mixed += weights[j] * values.get(j * HIDDEN + head + c);
                }
                y.put(query + c, (float) (mixed / total));
            }
        }
    }

    private static void pool(FloatBuffer x, FloatBuffer mask, FloatBuffer y) {
        for (int c = 0; c < HIDDEN; c++) {
            y.put(c, 0);
            for (int t = 0; t < mask.capacity(); t++) {
                y.put(c, y.get(c) + x.get(t * HIDDEN + c) * mask.get(t));
            }
        }
    }
}
