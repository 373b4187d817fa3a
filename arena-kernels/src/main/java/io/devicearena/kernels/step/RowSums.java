package io.devicearena.kernels.step;

import java.lang.foreign.MemorySegment;

/**
 * Sums over rows in f64, and the largest element: in four parts that do not wait for each other.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class RowSums {
    private RowSums() {}

    /**
     * Adds up the elements.
     *
     * @param row the elements
     * @return the sum
     */
    public static double sum(float[] row) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int c = 0;
        for (; c + 4 <= row.length; c += 4) {
            s0 += row[c];
            s1 += row[c + 1];
            s2 += row[c + 2];
            s3 += row[c + 3];
        }
        for (; c < row.length; c++) {
            s0 += row[c];
        }
        return (s0 + s1) + (s2 + s3);
    }

    /**
     * Adds up the squares of the differences of elements from a number.
     *
     * @param row the elements
     * @param count how many of them, from the first on
     * @param middle the number
     * @return the sum
     */
    public static double squares(float[] row, int count, double middle) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int c = 0;
        for (; c + 4 <= count; c += 4) {
            double d0 = row[c] - middle;
            double d1 = row[c + 1] - middle;
            double d2 = row[c + 2] - middle;
            double d3 = row[c + 3] - middle;
            s0 += d0 * d0;
            s1 += d1 * d1;
            s2 += d2 * d2;
            s3 += d3 * d3;
        }
        for (; c < count; c++) {
            s0 += (row[c] - middle) * (row[c] - middle);
        }
        return (s0 + s1) + (s2 + s3);
    }

    /**
     * Returns the factor that norms elements by their root mean square.
     *
     * @param row the elements
     * @param count how many of them, from the first on
     * @param epsilon added to the mean square
     * @return the factor
     */
    public static float norm(float[] row, int count, float epsilon) {
        return (float) (1 / Math.sqrt(squares(row, count, 0) / count + epsilon));
    }

    /**
     * Divides a row by its root mean square, and multiplies it by weights.
     *
     * @param row the elements
     * @param count how many of them, from the first on
     * @param weights F32, one for each
     * @param epsilon added to the mean of the squares
     */
    public static void normalize(float[] row, int count, MemorySegment weights, float epsilon) {
        float scale = norm(row, count, epsilon);
        for (int c = 0; c < count; c++) {
            row[c] *= scale * HostFloats.get(weights, c);
        }
    }

    /**
     * Finds the largest element. Comparisons are faster than {@code Math.max}, which looks for NaN and -0.
     *
     * @param row the elements, 1 or more
     * @return the largest
     */
    public static float largest(float[] row) {
        float m0 = row[0];
        float m1 = m0;
        float m2 = m0;
        float m3 = m0;
        int c = 0;
        for (; c + 4 <= row.length; c += 4) {
            m0 = row[c] > m0 ? row[c] : m0;
            m1 = row[c + 1] > m1 ? row[c + 1] : m1;
            m2 = row[c + 2] > m2 ? row[c + 2] : m2;
            m3 = row[c + 3] > m3 ? row[c + 3] : m3;
        }
        for (; c < row.length; c++) {
            m0 = row[c] > m0 ? row[c] : m0;
        }
        return Math.max(Math.max(m0, m1), Math.max(m2, m3));
    }
}
