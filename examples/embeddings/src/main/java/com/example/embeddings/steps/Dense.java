package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.kernels.matrix.WeightFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The product of the rows with a matrix, without bias; the step behind it adds that. A GPU runs the library's product.
 *
 * <p>On the host, the matrix is transposed in the arena once. A task then adds columns of the input times rows of the
 * matrix to rows of the output: long loops over neighbours, which the JIT compiler makes vector instructions of.
 *
 * @param out F32 [rows][matrix.rows]
 * @param in F32 [rows][matrix.columns]
 * @param matrix F32, or its F16 shadow; its rows are a multiple of 384, its columns of 128
 * @param shape of the batch
 */
public record Dense(NodeId out, NodeId in, Matrix matrix, BatchShape shape) implements KernelStep {
    /** Outputs of a task: 24 vectors of 512 bits. Four rows of output and four of the matrix fit the first cache. */
    private static final int WIDTH = 384;

    /** Columns of the input in a round: this part of the matrix stays in the second cache. */
    private static final int DEPTH = 128;

    /** The most tokens of a task. */
    private static final int TOKENS = 32;

    /** Tasks for each thread, so that none waits long for the last. */
    private static final int TASKS = 4;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    /** What a thread needs, made once. */
    private static final class Scratch {
        final float[] weights = new float[DEPTH * WIDTH];
        final float[] in = new float[TOKENS * DEPTH];
        final float[][] out = new float[TOKENS][WIDTH];
    }

    /** Checks the dimensions. */
    public Dense {
        if (matrix.rows() % WIDTH != 0 || matrix.columns() % DEPTH != 0) {
            throw new IllegalArgumentException("matrix " + matrix.id() + ": expected multiples of " + WIDTH + " rows and "
                    + DEPTH + " columns, got " + matrix.rows() + " x " + matrix.columns());
        }
    }

    @Override
    public String label() {
        return "dense";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, matrix.id(), shape.cursor());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        new Product(out, in, matrix, shape.rows(), shape.cursor()).record(device);
    }

    /**
     * Transposes the matrix, and rounds it if it is to be f16. To be called once for each matrix, before the first run.
     *
     * @param host the values
     */
    public void prepare(HostValues host) {
        int rows = matrix.rows();
        int columns = matrix.columns();
        boolean half = matrix.format() == WeightFormat.F16_SHADOW;
        float[] all = new float[rows * columns];
        Floats.read(host, matrix.id(), 0, all, 0, all.length);
        float[] column = new float[rows];
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < rows; r++) {
                float weight = all[r * columns + c];
                column[r] = half ? Float.float16ToFloat(Float.floatToFloat16(weight)) : weight;
            }
            Floats.write(host, matrix.id(), (long) c * rows, column, 0, rows);
        }
    }

    @Override
    public void compute(HostValues host) {
        int rows = Floats.word(host, shape.cursor(), 1);
        int wide = matrix.rows() / WIDTH;
        int share = rows * wide / (host.threads() * TASKS);
        int tokens = Math.max(4, Math.min(TOKENS, share / 4 * 4));
        host.parallel(Math.ceilDiv(rows, tokens) * wide, task -> {
            int first = task / wide * tokens;
            block(host, first, Math.min(tokens, rows - first), task % wide * WIDTH);
        });
    }

    /** The outputs from one on, of some tokens, a multiple of 4. */
    private void block(HostValues host, int first, int tokens, int output) {
        Scratch scratch = SCRATCH.get();
        MemorySegment weights = host.bytes(matrix.id());
        for (int t = 0; t < tokens; t++) {
            Arrays.fill(scratch.out[t], 0);
        }
        for (int from = 0; from < matrix.columns(); from += DEPTH) {
            for (int c = 0; c < DEPTH; c++) {
                long at = ((long) (from + c) * matrix.rows() + output) * Float.BYTES;
                MemorySegment.copy(weights, ValueLayout.JAVA_FLOAT, at, scratch.weights, c * WIDTH, WIDTH);
            }
            for (int t = 0; t < tokens; t++) {
                long at = (long) (first + t) * matrix.columns() + from;
                Floats.read(host, in, at, scratch.in, t * DEPTH, DEPTH);
            }
            for (int t = 0; t < tokens; t += 4) {
                for (int c = 0; c < DEPTH; c += 4) {
                    add(scratch, t, c);
                }
            }
        }
        for (int t = 0; t < tokens; t++) {
            Floats.write(host, out, (long) (first + t) * matrix.rows() + output, scratch.out[t], 0, WIDTH);
        }
    }

    /** Adds four columns of four tokens. */
    private static void add(Scratch scratch, int t, int c) {
        float[] x = scratch.in;
        int i = t * DEPTH + c;
        int j = i + DEPTH;
        int k = j + DEPTH;
        int l = k + DEPTH;
        fourByFour(
                scratch.out[t], scratch.out[t + 1], scratch.out[t + 2], scratch.out[t + 3], scratch.weights, c * WIDTH,
                x[i], x[i + 1], x[i + 2], x[i + 3],
                x[j], x[j + 1], x[j + 2], x[j + 3],
                x[k], x[k + 1], x[k + 2], x[k + 3],
                x[l], x[l + 1], x[l + 2], x[l + 3]);
    }

    private static void fourByFour(
            float[] a, float[] b, float[] c, float[] d, float[] w, int at,
            float a0, float a1, float a2, float a3,
            float b0, float b1, float b2, float b3,
            float c0, float c1, float c2, float c3,
            float d0, float d1, float d2, float d3) {
        int second = at + WIDTH;
        int third = second + WIDTH;
        int fourth = third + WIDTH;
        for (int r = 0; r < WIDTH; r++) {
            float w0 = w[at + r];
            float w1 = w[second + r];
            float w2 = w[third + r];
            float w3 = w[fourth + r];
            a[r] = Math.fma(w3, a3, Math.fma(w2, a2, Math.fma(w1, a1, Math.fma(w0, a0, a[r]))));
            b[r] = Math.fma(w3, b3, Math.fma(w2, b2, Math.fma(w1, b1, Math.fma(w0, b0, b[r]))));
            c[r] = Math.fma(w3, c3, Math.fma(w2, c2, Math.fma(w1, c1, Math.fma(w0, c0, c[r]))));
            d[r] = Math.fma(w3, d3, Math.fma(w2, d2, Math.fma(w1, d1, Math.fma(w0, d0, d[r]))));
        }
    }
}
