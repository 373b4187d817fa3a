package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inputs and caches of an attention, and what double precision makes of them. */
final class AttentionTrial {
    static final double U = 0x1p-24;
    static final float EPSILON = 1e-6f;

    /** The operations before a score: a norm with its sum of squares, an angle, a rotation, the scale. */
    private static final int BEFORE = 24;

    final StepTrial trial = new StepTrial();
    final AttentionShape shape;
    final Rope rope;
    final int rows;
    final int position;
    final AttentionInputs in;
    final @Nullable HeadNorms norms;

    private final float[] queries;
    private final float[] keys;
    final float[] values;
    final float[] keyCache;
    final float[] valueCache;
    private final float[] queryNorm;
    private final float[] keyNorm;
    private final Map<List<Integer>, double[][]> preparedQueries = new HashMap<>();
    private final Map<List<Integer>, double[][]> preparedKeys = new HashMap<>();

    AttentionTrial(AttentionShape shape, Rope rope, boolean normed, int rows, int count, int position) {
        this.shape = shape;
        this.rope = rope;
        this.rows = rows;
        this.position = position;
        queries = StepTrial.random(rows * shape.queryColumns(), 1);
        keys = StepTrial.random(rows * shape.keyColumns(), 2);
        values = StepTrial.random(rows * shape.keyColumns(), 3);
        keyCache = StepTrial.random((int) shape.cacheElements(), 4);
        valueCache = StepTrial.random((int) shape.cacheElements(), 5);
        queryNorm = StepTrial.random(shape.headDim(), 6);
        keyNorm = StepTrial.random(shape.headDim(), 7);
        in = new AttentionInputs(
                trial.ints(position, count, 0, 0),
                trial.floats(queries),
                trial.floats(keys),
                trial.floats(values),
                trial.floats(keyCache),
                trial.floats(valueCache));
        norms = normed ? new HeadNorms(trial.floats(queryNorm), trial.floats(keyNorm), EPSILON) : null;
    }

    /** Divisors as those of a model for a longer context: the slower a pair turns, the larger. */
    static List<Double> divisors(int headDim) {
        return IntStream.range(0, headDim / 2)
                .mapToObj(i -> 1 + 7.0 * i / headDim)
                .toList();
    }

    NodeId floats(int count) {
        return trial.floats(new float[count]);
    }

    /** A head in double precision, and in the second row what rounding is relative to. */
    private double[][] prepared(float[] all, int first, float[] weights, int at) {
        int size = shape.headDim();
        double[] x = new double[size];
        Arrays.setAll(x, c -> all[first + c]);
        if (norms != null) {
            double mean = Arrays.stream(x).map(v -> v * v).sum() / size;
            Arrays.setAll(x, c -> all[first + c] / Math.sqrt(mean + EPSILON) * weights[c]);
        }
        double[] turned = new double[size];
        double[] magnitude = new double[size];
        for (int i = 0; i < size / 2; i++) {
            int a = rope.neighbours() ? 2 * i : i;
            int b = rope.neighbours() ? 2 * i + 1 : i + size / 2;
            double divisor = rope.divisors().isEmpty() ? 1 : rope.divisors().get(i);
            double angle = at * Math.pow(rope.base(), -2.0 * i / size) / divisor;
            turned[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
            turned[b] = x[a] * Math.sin(angle) + x[b] * Math.cos(angle);
            magnitude[a] = Math.abs(x[a]) + Math.abs(x[b]);
            magnitude[b] = magnitude[a];
        }
        return new double[][] {turned, magnitude};
    }

    double[][] query(int row, int head) {
        int size = shape.headDim();
        return preparedQueries.computeIfAbsent(
                List.of(row, head),
                _ -> prepared(queries, row * shape.queryColumns() + head * size, queryNorm, position + row));
    }

    double[][] key(int row, int kvHead) {
        int size = shape.headDim();
        return preparedKeys.computeIfAbsent(
                List.of(row, kvHead),
                _ -> prepared(keys, row * shape.keyColumns() + kvHead * size, keyNorm, position + row));
    }

    /** Of an element of a head: the norm's sum of squares, its root and division, the angle, the rotation. */
    double headTolerance(double magnitude) {
        return (shape.headDim() / 2.0 + BEFORE) * U * magnitude;
    }

    /** What the head of a row attends to, and the tolerance of each element at the end. */
    double[] attended(int row, int head) {
        int size = shape.headDim();
        int kvHead = head / shape.group();
        int here = position + row;
        double[][] q = query(row, head);
        int first = Math.max(0, here - shape.reach() + 1);
        double[] scores = new double[here - first + 1];
        double[][] seen = new double[scores.length][size];
        double error = 0;
        for (int p = first; p <= here; p++) {
            int cached = (int) shape.inCache(p, kvHead);
            int own = (p - position) * shape.keyColumns() + kvHead * size;
            boolean isPast = p < position;
            double[][] key = isPast ? null : key(p - position, kvHead);
            double bound = 0;
            for (int c = 0; c < size; c++) {
                double k = key == null ? keyCache[cached + c] : key[0][c];
                double most = key == null ? Math.abs(k) : key[1][c];
                scores[p - first] += q[0][c] * k * shape.scoreScale();
                bound += q[1][c] * most * Math.abs(shape.scoreScale());
                seen[p - first][c] = isPast ? valueCache[cached + c] : values[own + c];
            }
            error = Math.max(error, bound * (2 * size + 2 * BEFORE) * U);
        }
        double most = Arrays.stream(scores).max().orElseThrow();
        double least = Arrays.stream(scores).min().orElseThrow();
        double total = Arrays.stream(scores).map(s -> Math.exp(s - most)).sum();
        double[] result = new double[size + 1];
        for (int p = 0; p < scores.length; p++) {
            double weight = Math.exp(scores[p] - most) / total;
            for (int c = 0; c < size; c++) {
                result[c] += weight * seen[p][c];
            }
        }
        // values are at most 1; a weight is off by twice the error of scores; WGSL's exp by 3 + 2|x| units; sums add up
        result[size] = 2 * error + 2 * U * (3 + 2 * (most - least)) * 2 + (scores.length + 16) * U;
        return result;
    }
}
