package io.devicearena.kernels.attention;

import java.util.Arrays;

/**
 * The attention of a head for some rows that see the same keys, on the host. It computes 4 by 4 scores at a time, and 4
 * by 4 elements of the output: so each number that it loads is used four times.
 */
final class AttentionBlock {
    /** The most queries. */
    static final int QUERIES = 32;

    /** Scores further below the largest have no weight. */
    private static final float FURTHEST = 64;

    private final int headDim;
    private final float scale;
    private final float[] queries;
    private final float[] sums;
    private float[] keys = {};
    private float[] values = {};
    private float[] weights = {};
    private int queryCount;
    private int keyCount;

    AttentionBlock(int headDim, float scale) {
        this.headDim = headDim;
        this.scale = scale;
        this.queries = new float[QUERIES * headDim];
        this.sums = new float[QUERIES * headDim];
    }

    /** Makes room; keys beyond the last, to a multiple of 4, are 0. */
    void begin(int newQueries, int newKeys) {
        queryCount = newQueries;
        keyCount = newKeys;
        int padded = padded();
        if (keys.length < padded * headDim) {
            keys = new float[padded * headDim];
            values = new float[padded * headDim];
            weights = new float[padded * QUERIES];
        }
        Arrays.fill(keys, newKeys * headDim, padded * headDim, 0);
        Arrays.fill(values, newKeys * headDim, padded * headDim, 0);
    }

    private int padded() {
        return (keyCount + 3) / 4 * 4;
    }

    /** [query][headDim]. */
    float[] queries() {
        return queries;
    }

    /** [key][headDim]. */
    float[] keys() {
        return keys;
    }

    /** [key][headDim]. */
    float[] values() {
        return values;
    }

    /** The results, [query][headDim]. */
    float[] sums() {
        return sums;
    }

    void compute() {
        int padded = padded();
        for (int q = 0; q < queryCount; q += 4) {
            for (int k = 0; k < padded; k += 4) {
                scores(q, k, padded);
            }
        }
        for (int q = 0; q < queryCount; q++) {
            subtractLargest(q * padded);
        }
        exp(weights, queryCount * padded);
        for (int q = 0; q < queryCount; q++) {
            normalize(q * padded, padded);
        }
        for (int q = 0; q < queryCount; q += 4) {
            for (int c = 0; c < headDim; c += 4) {
                mix(q, c, padded);
            }
        }
    }

    /** The scores of 4 queries and 4 keys. */
    private void scores(int query, int key, int padded) {
        float a0 = 0;
        float a1 = 0;
        float a2 = 0;
        float a3 = 0;
        float b0 = 0;
        float b1 = 0;
        float b2 = 0;
        float b3 = 0;
        float c0 = 0;
        float c1 = 0;
        float c2 = 0;
        float c3 = 0;
        float d0 = 0;
        float d1 = 0;
        float d2 = 0;
        float d3 = 0;
        int q = query * headDim;
        int k = key * headDim;
        for (int i = 0; i < headDim; i++) {
            float k0 = keys[k + i];
            float k1 = keys[k + headDim + i];
            float k2 = keys[k + 2 * headDim + i];
            float k3 = keys[k + 3 * headDim + i];
            float a = queries[q + i];
            float b = queries[q + headDim + i];
            float c = queries[q + 2 * headDim + i];
            float d = queries[q + 3 * headDim + i];
            a0 = Math.fma(a, k0, a0);
            a1 = Math.fma(a, k1, a1);
            a2 = Math.fma(a, k2, a2);
            a3 = Math.fma(a, k3, a3);
            b0 = Math.fma(b, k0, b0);
            b1 = Math.fma(b, k1, b1);
            b2 = Math.fma(b, k2, b2);
            b3 = Math.fma(b, k3, b3);
            c0 = Math.fma(c, k0, c0);
            c1 = Math.fma(c, k1, c1);
            c2 = Math.fma(c, k2, c2);
            c3 = Math.fma(c, k3, c3);
            d0 = Math.fma(d, k0, d0);
            d1 = Math.fma(d, k1, d1);
            d2 = Math.fma(d, k2, d2);
            d3 = Math.fma(d, k3, d3);
        }
        int at = query * padded + key;
        set(weights, at, a0 * scale, a1 * scale, a2 * scale, a3 * scale);
        set(weights, at + padded, b0 * scale, b1 * scale, b2 * scale, b3 * scale);
        set(weights, at + 2 * padded, c0 * scale, c1 * scale, c2 * scale, c3 * scale);
        set(weights, at + 3 * padded, d0 * scale, d1 * scale, d2 * scale, d3 * scale);
    }

    private void subtractLargest(int at) {
        float largest = weights[at];
        for (int k = at + 1; k < at + keyCount; k++) {
            largest = Math.max(largest, weights[k]);
        }
        for (int k = at; k < at + keyCount; k++) {
            weights[k] -= largest;
        }
    }

    /**
     * The exponential function of floats that are 0 or less, within 2e-7, in a loop that HotSpot vectorises: exp(x) is
     * (1 + e)^64 for e = exp(x / 64) - 1, which a Taylor series of degree 5 gives; squaring keeps e, as 1 + e would be
     * rounded.
     */
    static void exp(float[] x, int count) {
        for (int i = 0; i < count; i++) {
            float r = Math.max(x[i], -FURTHEST) * (1 / FURTHEST);
            float series = Math.fma(r, Math.fma(r, Math.fma(r, Math.fma(r, 1 / 120f, 1 / 24f), 1 / 6f), 1 / 2f), 1);
            float e = r * series;
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            x[i] = 1 + Math.fma(e, e, e + e);
        }
    }

    /** Makes the weights of a query add up to 1, and those of keys that are not there 0. */
    private void normalize(int at, int padded) {
        float even = 0;
        float odd = 0;
        int k = at;
        for (; k + 2 <= at + keyCount; k += 2) {
            even += weights[k];
            odd += weights[k + 1];
        }
        if (k < at + keyCount) {
            even += weights[k];
        }
        float share = 1 / (even + odd);
        for (k = at; k < at + keyCount; k++) {
            weights[k] *= share;
        }
        Arrays.fill(weights, at + keyCount, at + padded, 0);
    }

    /** 4 elements of 4 queries: the values, weighted. */
    private void mix(int query, int element, int padded) {
        float a0 = 0;
        float a1 = 0;
        float a2 = 0;
        float a3 = 0;
        float b0 = 0;
        float b1 = 0;
        float b2 = 0;
        float b3 = 0;
        float c0 = 0;
        float c1 = 0;
        float c2 = 0;
        float c3 = 0;
        float d0 = 0;
        float d1 = 0;
        float d2 = 0;
        float d3 = 0;
        int w = query * padded;
        for (int k = 0; k < padded; k++) {
            int v = k * headDim + element;
            float v0 = values[v];
            float v1 = values[v + 1];
            float v2 = values[v + 2];
            float v3 = values[v + 3];
            float a = weights[w + k];
            float b = weights[w + padded + k];
            float c = weights[w + 2 * padded + k];
            float d = weights[w + 3 * padded + k];
            a0 = Math.fma(a, v0, a0);
            a1 = Math.fma(a, v1, a1);
            a2 = Math.fma(a, v2, a2);
            a3 = Math.fma(a, v3, a3);
            b0 = Math.fma(b, v0, b0);
            b1 = Math.fma(b, v1, b1);
            b2 = Math.fma(b, v2, b2);
            b3 = Math.fma(b, v3, b3);
            c0 = Math.fma(c, v0, c0);
            c1 = Math.fma(c, v1, c1);
            c2 = Math.fma(c, v2, c2);
            c3 = Math.fma(c, v3, c3);
            d0 = Math.fma(d, v0, d0);
            d1 = Math.fma(d, v1, d1);
            d2 = Math.fma(d, v2, d2);
            d3 = Math.fma(d, v3, d3);
        }
        int at = query * headDim + element;
        set(sums, at, a0, a1, a2, a3);
        set(sums, at + headDim, b0, b1, b2, b3);
        set(sums, at + 2 * headDim, c0, c1, c2, c3);
        set(sums, at + 3 * headDim, d0, d1, d2, d3);
    }

    private static void set(float[] to, int at, float v0, float v1, float v2, float v3) {
        to[at] = v0;
        to[at + 1] = v1;
        to[at + 2] = v2;
        to[at + 3] = v3;
    }
}
