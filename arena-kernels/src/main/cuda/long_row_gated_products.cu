// The first half of a gated feed-forward layer, of one long row, with a norm or without.
// also for compute_90
#include "kernel.cuh"
#include "long_row_products.cuh"

KERNEL __launch_bounds__(512) da_long_row_gated_products(ONE_ROW, const u8 *gate, const u8 *up, float *out,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {ITS_ROW, {gate, up, 0}, {0, 0, 0}, {out, 0, 0}};
    long_row_products<ANY, 1>(&to, &job, memory);
}
