// also for compute_80
// The products of many rows with three matrices, such as those of queries, keys and values.
#include "kernel.cuh"
#include "product_tiles.cuh"

KERNEL da_product_tiles_of_three(const float *x, const float *norm, const u32 *cursor, const u8 *weights0,
                                 const u8 *weights1, const u8 *weights2, const float *bias0,
                                 const float *bias1, const float *bias2, float *out0, float *out1, float *out2,
                                 BY_VALUE ProductJob job) {
    __shared__ Floats4 tiles[TILE_PIECES(2)];
    __shared__ u32 panel[PANEL_SIZE];
    __shared__ float squares[64];
    Parts parts = {{weights0, weights1, weights2}, {out0, out1, out2}, {bias0, bias1, bias2}};
    product_tile(x, norm, cursor, &parts, &job, tiles, panel, squares, 1, 2, 0);
}
