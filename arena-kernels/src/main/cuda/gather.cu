// Takes rows of words by their numbers.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"

typedef struct {
    u32 elements, rows;
    Divisor count, inner; // the numbers, and the elements of a row
} GatherJob;

KERNEL da_gather(u32 *out, const u32 *input, const int *indices, BY_VALUE GatherJob job) {
    wait_for_last();
    start_next();
    u32 i = (u32)FIRST;
    if (i >= job.elements) {
        return;
    }
    u32 copied = quotient(i, job.inner), outer = quotient(copied, job.count);
    int last = (int)job.rows - 1, index = indices[rest_of(copied, outer, job.count)];
    index = index < 0 ? index + (int)job.rows : index;
    index = index < 0 ? 0 : index > last ? last : index;
    out[i] = input[(outer * job.rows + index) * job.inner.by + rest_of(i, copied, job.inner)];
}
