// One long row of floats, or its norm, times up to three packed matrices.
// also for compute_90
#include "kernel.cuh"
#include "long_row_products.cuh"

KERNEL __launch_bounds__(512) da_long_row_products(const float *x, const float *update, const float *update_norm,
    const float *norm, float *sums, const u32 *cursor, const u8 *weights0, const u8 *weights1, const u8 *weights2,
    const float *bias0, const float *bias1, const float *bias2, float *out0, float *out1, float *out2,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {x, update, update_norm, norm, sums, cursor, {weights0, weights1, weights2}, {bias0, bias1, bias2},
                      {out0, out1, out2}};
    long_row_products<ANY, 0>(&to, &job, memory);
}
