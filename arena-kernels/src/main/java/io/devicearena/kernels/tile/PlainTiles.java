package io.devicearena.kernels.tile;

/** Tiles of 4 by 4, without the Vector API: each number that it loads is used four times. */
final class PlainTiles implements Tiles {
    private static final int SIDE = 4;

    @Override
    public int rows() {
        return SIDE;
    }

    @Override
    public int columns() {
        return SIDE;
    }

    @Override
    public void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
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
        int w = leftAt;
        for (int offset : offsets) {
            int v = rightAt + offset;
            float v0 = right[v];
            float v1 = right[v + 1];
            float v2 = right[v + 2];
            float v3 = right[v + 3];
            float a = left[w];
            float b = left[w + 1];
            float c = left[w + 2];
            float d = left[w + 3];
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
            w += SIDE;
        }
        set(out, outAt, a0, a1, a2, a3);
        set(out, outAt + pitch, b0, b1, b2, b3);
        set(out, outAt + 2 * pitch, c0, c1, c2, c3);
        set(out, outAt + 3 * pitch, d0, d1, d2, d3);
    }

    private static void set(float[] to, int at, float v0, float v1, float v2, float v3) {
        to[at] = v0;
        to[at + 1] = v1;
        to[at + 2] = v2;
        to[at + 3] = v3;
    }
}
