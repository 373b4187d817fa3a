package io.devicearena.kernels.tile;

import java.util.Arrays;

/** Tiles in plain loops over their columns. */
final class PlainTiles implements Tiles {
    static final Tiles TILES = new PlainTiles();

    private static final int COLUMNS = 16;

    private PlainTiles() {}

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public void rows(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
        for (int r = 0; r < ROWS; r++) {
            add(left, leftAt + r, ROWS, right, rightAt, offsets, out, outAt + r * pitch);
        }
    }

    @Override
    public void row(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int count) {
        for (int p = 0; p < count; p += COLUMNS) {
            add(left, leftAt, 1, right, rightAt + p, offsets, out, outAt + p);
        }
    }

    private static void add(
            float[] left, int leftAt, int step, float[] right, int rightAt, int[] offsets, float[] out, int outAt) {
        Arrays.fill(out, outAt, outAt + COLUMNS, 0);
        for (int k = 0; k < offsets.length; k++) {
            float weight = left[leftAt + k * step];
            int at = rightAt + offsets[k];
            for (int c = 0; c < COLUMNS; c++) {
                out[outAt + c] = Math.fma(weight, right[at + c], out[outAt + c]);
            }
        }
    }
}
