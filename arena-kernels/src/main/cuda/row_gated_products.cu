// The first half of a gated feed-forward layer, of one row.
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL da_row_gated_products(const float *x, const float *update, const float *update_norm, const float *norm, float *sums,
                             const u32 *cursor, const u8 *gate, const u8 *up, float *out, BY_VALUE RowJob job) {
    DYNAMIC_SHARED(staged);
    __shared__ Words4 buffers[2 * WARPS * BUFFER_WORDS / 4];
    __shared__ float of_warps[WARPS];
    RowPointers to = {x, update, update_norm, norm, sums, cursor, {gate, up, 0}, {0, 0, 0}, {out, 0, 0}};
    row_products(&to, &job, buffers, (float *)staged, of_warps, 1);
}
