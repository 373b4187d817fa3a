// Each block keeps the `top` largest of a slice of 1024 candidates: the logits, or if there are none what slices kept.
// 256 threads; a block a slice.
#include "kernel.cuh"
#include "top_k.cuh"

KERNEL da_top_k_slices(const u32 *logits, Found *found, BY_VALUE SliceJob job) {
    __shared__ Found sorted[SLICE];
    sort_slice(logits, found, &job, sorted);
    if (threadIdx.x < job.top) {
        found[job.first_out + blockIdx.x * job.top + threadIdx.x] = sorted[threadIdx.x];
    }
}
