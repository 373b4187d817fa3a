package com.example.llm.model;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The attention of a layer on the host: queries and keys are normed and rotated, keys and values go into the cache, and
 * each query is answered from what the cache has.
 *
 * <p>The cache is a ring: position p is in row p modulo its rows. A layer with a window needs the rows of the window
 * and of one run.
 *
 * <p><b>Source:</b> Su et al., RoFormer, 2021 (rotation); Shazeer, Fast Transformer Decoding, 2019, and Ainslie et al.,
 * GQA, 2023 (heads that share keys); Milakov and Gimelshein, Online normalizer calculation for softmax, 2018.
 *
 * @param config the sizes
 * @param layer its number
 * @param cacheRows of the ring
 * @param norms of queries and keys, or none
 */
record Attention(
        ModelConfig config,
        int layer,
        int cacheRows,
        NodeId cursor,
        NodeId queries,
        NodeId keys,
        NodeId values,
        NodeId keyCache,
        NodeId valueCache,
        Optional<Norms> norms,
        NodeId out) {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

    record Norms(NodeId query, NodeId key) {}

    Step step() {
        List<NodeId> reads = new ArrayList<>(List.of(cursor, queries, keys, values, keyCache, valueCache));
        norms.ifPresent(norm -> reads.addAll(List.of(norm.query, norm.key)));
        return new Step("attention " + layer, reads, List.of(keyCache, valueCache, out), host -> () -> compute(host));
    }

    private void compute(HostValues host) {
        Cursor at = Cursor.read(host, cursor);
        double[] speeds = new double[config.headDim() / 2]; // radians for each position
        for (int i = 0; i < speeds.length; i++) {
            speeds[i] = Math.pow(config.ropeBase(layer), -2.0 * i / config.headDim());
        }
        int heads = config.heads();
        int kvHeads = config.kvHeads();
        host.parallel(at.count() * kvHeads, task -> store(host, at, task / kvHeads, task % kvHeads, speeds));
        host.parallel(at.count() * heads, task -> answer(host, at, task / heads, task % heads, speeds));
    }

    private void store(HostValues host, Cursor at, int row, int head, double[] speeds) {
        int size = config.headDim();
        long from = 4L * size * (row * config.kvHeads() + head);
        long to = rowOfCache(at.position() + row, head);
        float[] key = new float[size];
        MemorySegment.copy(host.bytes(keys), FLOAT, from, key, 0, size);
        norms.ifPresent(norm -> norm(key, host.bytes(norm.key)));
        rotate(key, at.position() + row, speeds);
        MemorySegment.copy(key, 0, host.bytes(keyCache), FLOAT, to, size);
        MemorySegment.copy(host.bytes(values), from, host.bytes(valueCache), to, 4L * size);
    }

    private long rowOfCache(int position, int head) {
        return 4L * config.headDim() * ((long) position % cacheRows * config.kvHeads() + head);
    }

    private void answer(HostValues host, Cursor at, int row, int head, double[] speeds) {
        int size = config.headDim();
        long here = 4L * size * (row * config.heads() + head);
        int position = at.position() + row;
        float[] query = new float[size];
        MemorySegment.copy(host.bytes(queries), FLOAT, here, query, 0, size);
        norms.ifPresent(norm -> norm(query, host.bytes(norm.query)));
        rotate(query, position, speeds);
        int first = config.hasWindow(layer) ? Math.max(0, position - config.window() + 1) : 0;
        int kvHead = head / (config.heads() / config.kvHeads());
        float[] other = new float[size];
        float[] sum = new float[size];
        float largest = Float.NEGATIVE_INFINITY;
        double total = 0;
        for (int p = first; p <= position; p++) {
            long cached = rowOfCache(p, kvHead);
            MemorySegment.copy(host.bytes(keyCache), FLOAT, cached, other, 0, size);
            float score = dot(query, other) * config.scoreScale();
            if (score > largest) {
                float shrink = (float) Math.exp(largest - score);
                total *= shrink;
                for (int c = 0; c < size; c++) {
                    sum[c] *= shrink;
                }
                largest = score;
            }
            float weight = (float) Math.exp(score - largest);
            total += weight;
            MemorySegment.copy(host.bytes(valueCache), FLOAT, cached, other, 0, size);
            for (int c = 0; c < size; c++) {
                sum[c] += weight * other[c];
            }
        }
        for (int c = 0; c < size; c++) {
            sum[c] /= (float) total;
        }
        MemorySegment.copy(sum, 0, host.bytes(out), FLOAT, here, size);
    }

    /** In eight sums that do not wait for each other. */
    private static float dot(float[] a, float[] b) {
        float[] sums = new float[8];
        for (int c = 0; c < a.length; c += 8) {
            for (int k = 0; k < 8; k++) {
                sums[k] += a[c + k] * b[c + k];
            }
        }
        return sums[0] + sums[1] + (sums[2] + sums[3]) + (sums[4] + sums[5] + (sums[6] + sums[7]));
    }

    private void norm(float[] x, MemorySegment weights) {
        double squares = 0;
        for (float value : x) {
            squares += (double) value * value;
        }
        float scale = (float) (1 / Math.sqrt(squares / x.length + config.epsilon()));
        for (int c = 0; c < x.length; c++) {
            x[c] *= scale * weights.getAtIndex(FLOAT, c);
        }
    }

    /** Turns pairs: of both halves in Gemma, of neighbours in Llama, whose files are written for that. */
    private void rotate(float[] x, int position, double[] speeds) {
        for (int i = 0; i < speeds.length; i++) {
            int a = config.gemma() ? i : 2 * i;
            int b = config.gemma() ? i + speeds.length : 2 * i + 1;
            float cosine = (float) Math.cos(position * speeds[i]);
            float sine = (float) Math.sin(position * speeds[i]);
            float before = x[a];
            x[a] = before * cosine - x[b] * sine;
            x[b] = before * sine + x[b] * cosine;
        }
    }
}
