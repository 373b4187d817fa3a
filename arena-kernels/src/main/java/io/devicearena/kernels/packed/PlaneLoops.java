package io.devicearena.kernels.packed;

/**
 * The loops that take the time. Each is a method of its own, has one array for each operand and no branch: HotSpot
 * vectorises them so. With offsets into one array, or with two results, it does not.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PlaneLoops {
    private PlaneLoops() {}

    /** Multiplies four planes of weights by those of a vector. */
    static void multiply(int n, byte[][] w, float[][] x, float[] sums) {
        byte[] w0 = w[0];
        byte[] w1 = w[1];
        byte[] w2 = w[2];
        byte[] w3 = w[3];
        float[] x0 = x[0];
        float[] x1 = x[1];
        float[] x2 = x[2];
        float[] x3 = x[3];
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i] + (w2[i] * x2[i] + w3[i] * x3[i]);
        }
    }

    /** Multiplies two planes of weights by those of a vector. */
    static void multiplyTwo(int n, byte[][] w, float[][] x, float[] sums) {
        byte[] w0 = w[0];
        byte[] w1 = w[1];
        float[] x0 = x[0];
        float[] x1 = x[1];
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i];
        }
    }

    /** Multiplies four planes of weights by those of a vector. */
    static void multiply(int n, float[][] w, float[][] x, float[] sums) {
        float[] w0 = w[0];
        float[] w1 = w[1];
        float[] w2 = w[2];
        float[] w3 = w[3];
        float[] x0 = x[0];
        float[] x1 = x[1];
        float[] x2 = x[2];
        float[] x3 = x[3];
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i] + (w2[i] * x2[i] + w3[i] * x3[i]);
        }
    }

    /** Adds the columns from {@code c} on, each times a weight, to the sums of {@code n} tokens: four of them. */
    static void addColumns(int n, float[] sums, float[][] columns, float[] weights, int c) {
        float[] x0 = columns[c];
        float[] x1 = columns[c + 1];
        float[] x2 = columns[c + 2];
        float[] x3 = columns[c + 3];
        float w0 = weights[c];
        float w1 = weights[c + 1];
        float w2 = weights[c + 2];
        float w3 = weights[c + 3];
        for (int i = 0; i < n; i++) {
            sums[i] += w0 * x0[i] + w1 * x1[i] + (w2 * x2[i] + w3 * x3[i]);
        }
    }

    /** The scaled sum of groups of 8 sums. */
    static float scaled(float[] sums, float[] scales, int first, int end) {
        float total = 0;
        for (int g = first; g < end; g++) {
            int i = 8 * g;
            float low = (sums[i] + sums[i + 1]) + (sums[i + 2] + sums[i + 3]);
            float high = (sums[i + 4] + sums[i + 5]) + (sums[i + 6] + sums[i + 7]);
            total += scales[g] * (low + high);
        }
        return total;
    }

    /** The sum of all, in four sums that do not wait for each other. */
    static float total(float[] sums, int n) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            s0 += sums[i];
            s1 += sums[i + 1];
            s2 += sums[i + 2];
            s3 += sums[i + 3];
        }
        for (; i < n; i++) {
            s0 += sums[i];
        }
        return (s0 + s1) + (s2 + s3);
    }
}
