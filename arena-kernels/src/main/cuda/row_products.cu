// One row of floats times up to three packed matrices, for rows of many columns.
// also for compute_90
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL __launch_bounds__(256) da_row_products(const float *x, const u8 *weights0, const u8 *weights1, const u8 *weights2,
    const float *bias0, const float *bias1, const float *bias2, float *out0, float *out1, float *out2,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {x, 0, 0, 0, 0, 0, {weights0, weights1, weights2}, {bias0, bias1, bias2}, {out0, out1, out2}};
    row_products<4, PLAIN, 0>(&to, &job, memory);
}
