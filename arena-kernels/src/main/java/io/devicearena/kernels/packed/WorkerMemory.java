package io.devicearena.kernels.packed;

import io.devicearena.kernels.step.HostFloats;

/**
 * What one of several threads computes in: two tiles, since a gated product has two matrices, and rows of floats.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class WorkerMemory {
    private static final int TILES = 2;

    private final RowTile[] tiles = {new RowTile(), new RowTile()};
    private final float[][] products = new float[TILES][0];
    private float[] row = {};

    /**
     * Returns a tile.
     *
     * @param index 0 or 1
     * @return the same at each call
     */
    public RowTile tile(int index) {
        return tiles[index];
    }

    /**
     * Returns memory for the products of a tile.
     *
     * @param index of the tile, 0 or 1
     * @param size the fewest elements
     * @return the floats, which hold anything
     */
    public float[] products(int index, int size) {
        products[index] = HostFloats.grown(products[index], size);
        return products[index];
    }

    /**
     * Returns memory for a row.
     *
     * @param size the fewest elements
     * @return the floats, which hold anything
     */
    public float[] row(int size) {
        row = HostFloats.grown(row, size);
        return row;
    }
}
