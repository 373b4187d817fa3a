// also for compute_80
// The product of many rows with one matrix: few tiles, so two teams share a tile's columns.
#include "kernel.cuh"
#include "product_tiles.cuh"

KERNEL da_product_tiles(const float *x, const float *norm, const u32 *cursor, const u8 *weights, const float *bias,
                        float *out, BY_VALUE ProductJob job) {
    __shared__ Floats4 tiles[2 * TILE_PIECES(2)];
    __shared__ u32 panel[PANEL_SIZE];
    __shared__ float squares[2 * 64];
    Parts parts = {{weights, weights, weights}, {out, out, out}, {bias, bias, bias}};
    product_tile(x, norm, cursor, &parts, &job, tiles, panel, squares, 2, 2, 0);
}
