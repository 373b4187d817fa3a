package io.devicearena.kernels.linear;

/**
 * The loop that takes the time. It is a method of its own, and has one array for each operand, all with one index:
 * HotSpot vectorises it so. With an offset into an array it does not.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PanelLoops {
    private PanelLoops() {}

    /** Adds four columns w, each times an element of a token, to the sums a to d of four tokens. */
    static void addFourByFour(
            int n,
            float[] a,
            float[] b,
            float[] c,
            float[] d,
            float[] w0,
            float[] w1,
            float[] w2,
            float[] w3,
            float a0,
            float a1,
            float a2,
            float a3,
            float b0,
            float b1,
            float b2,
            float b3,
            float c0,
            float c1,
            float c2,
            float c3,
            float d0,
            float d1,
            float d2,
            float d3) {
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

    /** Adds floats to others. */
    static void add(int n, float[] to, float[] others) {
        for (int r = 0; r < n; r++) {
            to[r] += others[r];
        }
    }
}
