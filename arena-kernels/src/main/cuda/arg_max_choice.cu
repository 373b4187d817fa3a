// The largest of the logits that 256 blocks found, and the cursor's move to it: one block.
// also for compute_90
#include "kernel.cuh"
#include "choice.cuh"

KERNEL da_arg_max_choice(const Found *found, u32 *cursor) {
    __shared__ Found memory[THREADS / 32];
    wait_for_last();
    start_next();
    Found best = best_of(found[threadIdx.x], memory);
    if (threadIdx.x == 0) {
        advance(cursor, best.index);
    }
}
