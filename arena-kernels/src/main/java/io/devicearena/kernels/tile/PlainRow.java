package io.devicearena.kernels.tile;

import java.util.Arrays;

/** One row, without the Vector API. */
final class PlainRow implements Tiles {
    private static final int COLUMNS = 16;

    @Override
    public int rows() {
        return 1;
    }

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
        Arrays.fill(out, outAt, outAt + COLUMNS, 0);
        for (int k = 0; k < offsets.length; k++) {
            float weight = left[leftAt + k];
            int at = rightAt + offsets[k];
            for (int c = 0; c < COLUMNS; c++) {
                out[outAt + c] = Math.fma(weight, right[at + c], out[outAt + c]);
            }
        }
    }
}
