// The first half of a gated feed-forward layer, of one row, with a norm or without.
// also for compute_90
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL __launch_bounds__(256, 4) da_row_gated_products(ONE_ROW, const u8 *gate, const u8 *up, float *out,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {ITS_ROW, {gate, up, 0}, {0, 0, 0}, {out, 0, 0}};
    row_products<5, ANY, 1>(&to, &job, memory);
}
