package io.devicearena.kernels.tile;

import java.util.Arrays;

/** Tiles in plain loops over their columns. */
record PlainTiles(int rows) implements Tiles {
    static final Tiles TILES = new PlainTiles(5);
    static final Tiles ROW = new PlainTiles(1);

    private static final int COLUMNS = 16;

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
        for (int r = 0; r < rows; r++) {
            int to = outAt + r * pitch;
            Arrays.fill(out, to, to + COLUMNS, 0);
            for (int k = 0; k < offsets.length; k++) {
                float weight = left[leftAt + k * rows + r];
                int at = rightAt + offsets[k];
                for (int c = 0; c < COLUMNS; c++) {
                    out[to + c] = Math.fma(weight, right[at + c], out[to + c]);
                }
            }
        }
    }
}
