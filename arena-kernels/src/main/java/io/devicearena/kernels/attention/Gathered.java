package io.devicearena.kernels.attention;

import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What query heads that share a key head have gathered on the host: sums of weighted values, the largest score, and the
 * sum of the weights exp(score - largest).
 *
 * <p><b>Source:</b> M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, 2018.
 */
final class Gathered {
    /** Below all scores; what partial results have that gathered nothing. */
    static final float NO_SCORE = -3e38f;

    private final float[][] queries;
    private final float scale;
    private final float[][] sums;
    private final float[] largest;
    private final float[] totals;
    private final float[] key;
    private final float[] value;

    Gathered(float[][] queries, float scale) {
        this.queries = queries;
        this.scale = scale;
        int size = queries[0].length;
        this.sums = new float[queries.length][size];
        this.largest = new float[queries.length];
        this.totals = new float[queries.length];
        this.key = new float[size];
        this.value = new float[size];
        Arrays.fill(largest, NO_SCORE);
    }

    /** Adds one position; key and value begin at the same element. */
    void add(MemorySegment keys, MemorySegment values, long element) {
        HostFloats.read(keys, element, key);
        HostFloats.read(values, element, value);
        for (int h = 0; h < queries.length; h++) {
            float[] sum = sums[h];
            float score = dot(queries[h], key) * scale;
            if (score > largest[h]) {
                float shrink = (float) Math.exp(largest[h] - score);
                totals[h] *= shrink;
                for (int c = 0; c < sum.length; c++) {
                    sum[c] *= shrink;
                }
                largest[h] = score;
            }
            float weight = (float) Math.exp(score - largest[h]);
            totals[h] += weight;
            for (int c = 0; c < sum.length; c++) {
                sum[c] += weight * value[c];
            }
        }
    }

    /** Writes the sum, the largest score and the sum of weights of a head. */
    void writePartial(int head, MemorySegment to, long element) {
        HostFloats.write(sums[head], to, element);
        HostFloats.write(new float[] {largest[head], totals[head]}, to, element + sums[head].length);
    }

    /** Writes the mean of the values of a head. */
    void writeMean(int head, MemorySegment to, long element) {
        float[] sum = sums[head];
        for (int c = 0; c < sum.length; c++) {
            sum[c] /= totals[head];
        }
        HostFloats.write(sum, to, element);
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
}
