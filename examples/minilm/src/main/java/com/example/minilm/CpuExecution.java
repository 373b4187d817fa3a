package com.example.minilm;

import static com.example.minilm.Bert.HEAD;
import static com.example.minilm.Bert.HIDDEN;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Loops over the arena's own memory. */
final class CpuExecution implements MiniLm.Execution {
    private final Bert graph;
    private final DeviceArena arena;

    CpuExecution(Bert graph, DeviceArena arena) {
        this.graph = graph;
        this.arena = arena;
    }

    @Override
    public synchronized void run(int[] ids, float[] mask, float[] embedding) {
        arena.writeValue(graph.ids, DType.I32, MemorySegment.ofArray(ids));
        arena.writeInputF32(graph.mask, DType.F32, mask);
        for (Bert.Node node : graph.steps()) {
            run(node);
        }
        arena.readOutputF32(graph.output, DType.F32, embedding);
    }

    private void run(Bert.Node node) {
        MemorySegment[] in = node.inputs().stream().map(this::bytes).toArray(MemorySegment[]::new);
        MemorySegment y = bytes(node.id());
        switch (node.kind()) {
            case EMBED -> embed(in[0], in[1], in[2], in[3], y);
            case NORM -> norm(node.adds(), in[0], in[1], in[2], in[3], y);
            case LINEAR -> linear(node, in[0], in[1], in[2], y);
            case ATTENTION -> attention(in[0], in[1], in[2], in[3], y);
            case POOL -> pool(in[0], in[1], y);
            case DATA -> throw new IllegalStateException(node.name() + " is no step");
        }
    }

    private MemorySegment bytes(NodeId id) {
        return arena.hostMemory().asSlice(arena.byteOffset(id).orElseThrow(), arena.lengthBytes(id));
    }

    private static float f(MemorySegment memory, long index) {
        return memory.getAtIndex(JAVA_FLOAT, index);
    }

    /** The dot product of two runs of elements, in four sums that do not wait for each other. */
    private static float dot(MemorySegment a, long i, MemorySegment b, long k, int count) {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int c = 0; c < count; c += 4) {
            s0 += f(a, i + c) * f(b, k + c);
            s1 += f(a, i + c + 1) * f(b, k + c + 1);
            s2 += f(a, i + c + 2) * f(b, k + c + 2);
            s3 += f(a, i + c + 3) * f(b, k + c + 3);
        }
        return s0 + s1 + (s2 + s3);
    }

    private void embed(MemorySegment ids, MemorySegment words, MemorySegment positions, MemorySegment types, MemorySegment y) {
        for (int i = 0; i < graph.tokens * HIDDEN; i++) {
            long word = (long) ids.getAtIndex(JAVA_INT, i / HIDDEN) * HIDDEN;
            y.setAtIndex(JAVA_FLOAT, i, f(words, word + i % HIDDEN) + f(positions, i) + f(types, i % HIDDEN));
        }
    }

    private void norm(boolean add, MemorySegment x, MemorySegment r, MemorySegment gamma, MemorySegment beta, MemorySegment y) {
        for (long row = 0; row < (long) graph.tokens * HIDDEN; row += HIDDEN) {
            double sum = 0, squares = 0;
            for (long i = row; i < row + HIDDEN; i++) {
                float value = f(x, i) + (add ? f(r, i) : 0);
                y.setAtIndex(JAVA_FLOAT, i, value);
                sum += value;
            }
            for (long i = row; i < row + HIDDEN; i++) {
                squares += Math.pow(f(y, i) - sum / HIDDEN, 2);
            }
            double scale = 1 / Math.sqrt(squares / HIDDEN + 1e-12);
            for (int c = 0; c < HIDDEN; c++) {
                float normal = (float) ((f(y, row + c) - sum / HIDDEN) * scale);
                y.setAtIndex(JAVA_FLOAT, row + c, normal * f(gamma, c) + f(beta, c));
            }
        }
    }

    private void linear(Bert.Node node, MemorySegment x, MemorySegment w, MemorySegment b, MemorySegment y) {
        int n = (int) (x.byteSize() / Float.BYTES / graph.tokens);
        for (int r = 0; r < node.columns(); r++) {
            for (long t = 0; t < graph.tokens; t++) {
                float sum = dot(x, t * n, w, (long) r * n, n) + f(b, r);
                y.setAtIndex(JAVA_FLOAT, t * node.columns() + r, node.gelu() ? gelu(sum) : sum);
            }
        }
    }

    private static float gelu(double x) {
        double a = Math.abs(x) / Math.sqrt(2);
        double sum = a, term = a;
        for (int n = 1; a <= 5.5 && term > 1e-17 * sum; n++) { // a series of erf with positive terms only
            term *= 2 * a * a / (2 * n + 1);
            sum += term;
        }
        double erf = a > 5.5 ? 1 : sum * Math.exp(-a * a) * 2 / Math.sqrt(Math.PI);
        return (float) (0.5 * x * (1 + Math.copySign(erf, x)));
    }

    private void attention(MemorySegment q, MemorySegment k, MemorySegment v, MemorySegment mask, MemorySegment y) {
        double[] weights = new double[graph.tokens];
        for (long query = 0; query < (long) graph.tokens * HIDDEN; query += HEAD) {
            long head = query % HIDDEN;
            double sum = 0, most = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < graph.tokens; j++) {
                float score = dot(q, query, k, (long) j * HIDDEN + head, HEAD);
                weights[j] = f(mask, j) == 0 ? -1e30 : score / Math.sqrt(HEAD);
                most = Math.max(most, weights[j]);
            }
            for (int j = 0; j < graph.tokens; j++) {
                weights[j] = Math.exp(weights[j] - most);
                sum += weights[j];
            }
            for (int c = 0; c < HEAD; c++) {
                double mixed = 0;
                for (int j = 0; j < graph.tokens; j++) {
                    mixed += weights[j] * f(v, (long) j * HIDDEN + head + c);
                }
                y.setAtIndex(JAVA_FLOAT, query + c, (float) (mixed / sum));
            }
        }
    }

    /** The mean over the tokens at length 1; the divisor of the mean cancels. */
    private void pool(MemorySegment x, MemorySegment mask, MemorySegment y) {
        double[] sums = new double[HIDDEN];
        for (int i = 0; i < graph.tokens * HIDDEN; i++) {
            sums[i % HIDDEN] += f(x, i) * f(mask, i / HIDDEN);
        }
        double length = Math.sqrt(Arrays.stream(sums).map(sum -> sum * sum).sum());
        for (int c = 0; c < HIDDEN; c++) {
            y.setAtIndex(JAVA_FLOAT, c, (float) (sums[c] / length));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
