// One row of floats times a packed matrix of so many rows that each warp multiplies many, such as the head.
// also for compute_90
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL __launch_bounds__(256) da_many_row_products(const float *x, const float *update, const float *update_norm,
    const float *norm, float *sums, const u32 *cursor, const u8 *weights, const float *bias, float *out,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {x, update, update_norm, norm, sums, cursor, {weights, 0, 0}, {bias, 0, 0}, {out, 0, 0}};
    row_products<16, 6, 1>(&to, &job, memory, norm ? NORMED : PLAIN);
}
