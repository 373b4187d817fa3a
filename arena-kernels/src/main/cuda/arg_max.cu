// The largest logit of each block's share.
// also for compute_90
#include "kernel.cuh"
#include "choice.cuh"

typedef struct {
    u32 vocabulary;
} ArgMaxJob;

KERNEL da_arg_max(const u32 *logits, Found *found, BY_VALUE ArgMaxJob job) {
    __shared__ Found memory[THREADS / 32];
    wait_for_last();
    start_next();
    Found own = {0, ~0u};
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < job.vocabulary; i += gridDim.x * THREADS) {
        Found one = {ordered(logits[i]), i};
        own = better(own, one);
    }
    own = best_of(own, memory);
    if (threadIdx.x == 0) {
        found[blockIdx.x] = own;
    }
}
