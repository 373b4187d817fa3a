// The first half of a gated feed-forward layer, of many rows.
#include "kernel.cuh"
#include "product_tiles.cuh"

KERNEL da_gated_product_tiles(const float *x, const float *norm, const u8 *gate, const u8 *up, float *out,
                              BY_VALUE ProductJob job) {
    __shared__ Floats4 memory[8 * (ROWS + 64)];
    __shared__ float squares[64];
    Parts parts = {{gate, up, up}, {out, out, out}, {0, 0, 0}};
    product_tile(x, norm, 0, &parts, &job, memory, squares, 1, 2);
}
