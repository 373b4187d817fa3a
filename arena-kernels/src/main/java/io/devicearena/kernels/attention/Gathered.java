package io.devicearena.kernels.attention;

import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What query heads that share a key head have gathered on the host: sums of weighted values, the largest score, and the
 * sum of the weights exp(score - largest). Its memory is used again after {@link #begin}.
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

    Gathered(AttentionShape shape) {
        this.queries = new float[shape.group()][shape.headDim()];
        this.scale = shape.scoreScale();
        this.sums = new float[shape.group()][shape.headDim()];
        this.largest = new float[shape.group()];
        this.totals = new float[shape.group()];
        this.key = new float[shape.headDim()];
        this.value = new float[shape.headDim()];
    }

    /** Forgets what was gathered. The caller sets the queries. */
    void begin() {
        for (float[] sum : sums) {
            Arrays.fill(sum, 0);
        }
        Arrays.fill(largest, NO_SCORE);
        Arrays.fill(totals, 0);
    }

    /** The elements of the query of a head. */
    float[] query(int head) {
        return queries[head];
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
        long end = element + sums[head].length;
        HostFloats.set(to, end, largest[head]);
        HostFloats.set(to, end + 1, totals[head]);
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
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        for (int c = 0; c < a.length; c += 8) {
            s0 += a[c] * b[c];
            s1 += a[c + 1] * b[c + 1];
            s2 += a[c + 2] * b[c + 2];
            s3 += a[c + 3] * b[c + 3];
            s4 += a[c + 4] * b[c + 4];
            s5 += a[c + 5] * b[c + 5];
            s6 += a[c + 6] * b[c + 6];
            s7 += a[c + 7] * b[c + 7];
        }
        return s0 + s1 + (s2 + s3) + (s4 + s5 + (s6 + s7));
    }
}
