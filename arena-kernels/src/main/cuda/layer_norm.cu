// Gives each row a mean of 0 and a variance of 1, then weights and a bias: a block for each row.
// also for compute_90
#include "kernel.cuh"
#include "block.cuh"

typedef struct {
    u32 columns;
    float epsilon;
} LayerNormJob;

KERNEL da_layer_norm(float *out, const float *input, const float *weight, const float *bias, const u32 *cursor,
                     BY_VALUE LayerNormJob job) {
    __shared__ float memory[WARPS];
    wait_for_last();
    start_next();
    if (cursor && blockIdx.x >= cursor[1]) {
        return;
    }
    const u32 row = blockIdx.x * job.columns;
    const float *from = (input ? input : out) + row;
    float sum = 0, squares = 0;
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        sum += from[c];
    }
    const float mean = block_sum(sum, memory) / job.columns;
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        squares += (from[c] - mean) * (from[c] - mean);
    }
    const float scale = 1 / sqrtf(block_sum(squares, memory) / job.columns + job.epsilon);
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        float v = (from[c] - mean) * scale;
        out[row + c] = weight ? v * weight[c] + bias[c] : v;
    }
}
