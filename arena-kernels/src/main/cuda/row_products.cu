// One row of floats times up to three packed matrices, for rows of many columns.
// also for compute_90
#include "kernel.cuh"
#include "row_products.cuh"

KERNEL __launch_bounds__(256) da_row_products(const float *x, THREE_MATRICES, BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {x, 0, 0, 0, 0, 0, ITS_MATRICES};
    row_products<4, PLAIN, 0>(&to, &job, memory);
}
