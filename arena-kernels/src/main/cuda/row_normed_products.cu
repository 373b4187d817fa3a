// The norm of one row of floats times up to three packed matrices.
// also for compute_90
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL __launch_bounds__(256) da_row_normed_products(ONE_ROW, THREE_MATRICES, BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {ITS_ROW, ITS_MATRICES};
    row_products<5, ANY, 0>(&to, &job, memory);
}
