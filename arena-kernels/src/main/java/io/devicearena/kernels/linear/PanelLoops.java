package io.devicearena.kernels.linear;

/**
 * The loop that takes the time. It is a method of its own, and has one array for each operand, all with one index:
 * HotSpot vectorises it so. With an offset into an array it does not.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PanelLoops {
    private PanelLoops() {}

    /**
     * Adds four columns w, each times an element of a token, to the sums a to d of four tokens.
     *
     * @param n the rows of a column
     * @param sums of tokens
     * @param t the first token
     * @param columns of the matrix
     * @param column the first of four
     * @param x the elements of tokens, as many for each as there are columns
     */
    static void addFourByFour(int n, float[][] sums, int t, float[][] columns, int column, float[] x) {
        float[] a = sums[t];
        float[] b = sums[t + 1];
        float[] c = sums[t + 2];
        float[] d = sums[t + 3];
        float[] w0 = columns[column];
        float[] w1 = columns[column + 1];
        float[] w2 = columns[column + 2];
        float[] w3 = columns[column + 3];
        int i = t * columns.length + column;
        int j = i + columns.length;
        int k = j + columns.length;
        int l = k + columns.length;
        float a0 = x[i];
        float a1 = x[i + 1];
        float a2 = x[i + 2];
        float a3 = x[i + 3];
        float b0 = x[j];
        float b1 = x[j + 1];
        float b2 = x[j + 2];
        float b3 = x[j + 3];
        float c0 = x[k];
        float c1 = x[k + 1];
        float c2 = x[k + 2];
        float c3 = x[k + 3];
        float d0 = x[l];
        float d1 = x[l + 1];
        float d2 = x[l + 2];
        float d3 = x[l + 3];
        for (int r = 0; r < n; r++) {
            float p = w0[r];
            float q = w1[r];
            float u = w2[r];
            float v = w3[r];
            a[r] = Math.fma(v, a3, Math.fma(u, a2, Math.fma(q, a1, Math.fma(p, a0, a[r]))));
            b[r] = Math.fma(v, b3, Math.fma(u, b2, Math.fma(q, b1, Math.fma(p, b0, b[r]))));
            c[r] = Math.fma(v, c3, Math.fma(u, c2, Math.fma(q, c1, Math.fma(p, c0, c[r]))));
            d[r] = Math.fma(v, d3, Math.fma(u, d2, Math.fma(q, d1, Math.fma(p, d0, d[r]))));
        }
    }
}
