package io.devicearena.kernels.packed;

/**
 * The loops that take the time. Each is a method of its own, has one array for each operand and no branch: HotSpot
 * vectorises them so. With offsets into one array, or with two results, it does not.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PlaneLoops {
    private PlaneLoops() {}

    static void multiply(
            int n,
            byte[] w0,
            byte[] w1,
            byte[] w2,
            byte[] w3,
            float[] x0,
            float[] x1,
            float[] x2,
            float[] x3,
            float[] sums) {
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i] + (w2[i] * x2[i] + w3[i] * x3[i]);
        }
    }

    static void multiply(int n, byte[] w0, byte[] w1, float[] x0, float[] x1, float[] sums) {
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i];
        }
    }

    static void multiply(
            int n,
            float[] w0,
            float[] w1,
            float[] w2,
            float[] w3,
            float[] x0,
            float[] x1,
            float[] x2,
            float[] x3,
            float[] sums) {
        for (int i = 0; i < n; i++) {
            sums[i] = w0[i] * x0[i] + w1[i] * x1[i] + (w2[i] * x2[i] + w3[i] * x3[i]);
        }
    }

    /** Adds four columns, each times a weight, to the sums of {@code n} tokens. */
    static void addColumns(
            int n,
            float[] sums,
            float[] x0,
            float[] x1,
            float[] x2,
            float[] x3,
            float w0,
            float w1,
            float w2,
            float w3) {
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
