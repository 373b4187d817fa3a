// Products of matrices with few rows: the threads of a warp share the depth of a column.
// also for compute_90
#include "kernel.cuh"
#include "matrices.cuh"
#include "warp.cuh"

typedef struct {
    u32 rows, columns, depth;
} Sizes;

KERNEL da_few_row_products(OUTPUT, const float *left, const float *right, BY_VALUE Matrices matrices, BY_VALUE Sizes sizes) {
    wait_for_last();
    start_next();
    u32 column = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = blockIdx.y;
    if (column >= sizes.columns) {
        return;
    }
    left += matrix_of(&matrices, matrices.lefts, blockIdx.z) * (sizes.rows * sizes.depth) + row * matrices.left_row;
    right += matrix_of(&matrices, matrices.rights, blockIdx.z) * (sizes.depth * sizes.columns) + column * matrices.right_column;
    float sum = 0;
#pragma unroll 4
    for (u32 k = threadIdx.x % 32; k < sizes.depth; k += 32) {
        sum = fmaf(left[k * matrices.left_depth], right[k * matrices.right_depth], sum);
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) {
        Target target = ITS_TARGET;
        finish(&target, (blockIdx.z * sizes.rows + row) * sizes.columns + column, column, sum);
    }
}
