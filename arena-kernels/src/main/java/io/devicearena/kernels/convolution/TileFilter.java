package io.devicearena.kernels.convolution;

import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.Tiles;

/**
 * Kernels of a convolution in tiles of output channels, and where their window finds its elements.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param tiles multiply
 * @param packing of the kernels
 * @param weights of all groups, packed
 * @param offsets one for each product of a sum: from the place of the window in what is staged
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record TileFilter(Tiles tiles, Packing packing, float[] weights, int[] offsets) {
    /**
     * Computes the sums of some channels at places that follow each other. Places outside, channels inside: the operand
     * of a tile of places stays in the first cache.
     *
     * @param operand what is staged
     * @param first the first of the channels' tiles
     * @param channels how many channels
     * @param to receives {@code places} sums for each channel, and for those that fill the last tile
     * @param at the index of the first sum
     * @param places whole tiles
     */
    void multiply(float[] operand, int first, int channels, float[] to, int at, int places) {
        if (packing.width() == 1) {
            tiles.row(weights, first * packing.tile(), operand, 0, offsets, to, at, places);
            return;
        }
        for (int p = 0; p < places; p += tiles.columns()) {
            int weight = first * packing.tile();
            for (int c = 0; c < channels; c += packing.width()) {
                tiles.rows(weights, weight, operand, p, offsets, to, at + c * places + p, places);
                weight += packing.tile();
            }
        }
    }
}
