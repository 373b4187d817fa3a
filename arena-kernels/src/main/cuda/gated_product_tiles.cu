// also for compute_80
// The first half of a gated feed-forward layer, of many rows.
#include "kernel.cuh"
#include "product_tiles.cuh"

KERNEL __launch_bounds__(TEAM, 4) da_gated_product_tiles(const float *x, const float *norm, const u32 *cursor,
                                                         const u8 *gate, const u8 *up, float *out,
                                                         BY_VALUE ProductJob job) {
    __shared__ Floats4 tiles[TILE_PIECES(2)];
    __shared__ u32 panel[PANEL_SIZE];
    __shared__ float squares[64];
    Parts parts = {{gate, up, up}, {out, out, out}, {0, 0, 0}};
    product_tile(x, norm, cursor, &parts, &job, tiles, panel, squares, 1, 2, 1);
}
