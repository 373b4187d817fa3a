// One long row of floats, or its norm, times up to three packed matrices.
// also for compute_90
#include "kernel.cuh"
#include "long_row_products.cuh"

KERNEL __launch_bounds__(512) da_long_row_products(ONE_ROW, THREE_MATRICES, BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    RowPointers to = {ITS_ROW, ITS_MATRICES};
    long_row_products<ANY, 0>(&to, &job, memory);
}
