// The splits of an attention, put together to a long row, times a packed matrix.
// also for compute_90
#include "kernel.cuh"
#include "long_row_products.cuh"

KERNEL __launch_bounds__(512) da_long_row_attention_products(const float *partials, const u8 *weights, const float *bias,
    float *out, BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {partials, 0, 0, 0, 0, 0, {weights, 0, 0}, {bias, 0, 0}, {out, 0, 0}};
    long_row_products<ATTENTION, 0>(&to, &job, memory);
}
