// Makes the elements of an axis a distribution, or its logarithm: a block for each row.
// also for compute_90
#include "kernel.cuh"
#include "block.cuh"

typedef struct {
    u32 columns, inner, is_logarithm; // the elements of a row are as far apart as inner
} SoftmaxJob;

KERNEL da_softmax(float *out, const float *input, BY_VALUE SoftmaxJob job) {
    __shared__ float memory[WARPS];
    wait_for_last();
    start_next();
    const u32 row = blockIdx.x / job.inner * job.inner * job.columns + blockIdx.x % job.inner;
    const float *from = (input ? input : out) + row;
    float most = -3.0e38f, sum = 0;
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        most = fmaxf(most, from[c * job.inner]);
    }
    most = block_max(most, memory);
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        sum += expf(from[c * job.inner] - most);
    }
    sum = block_sum(sum, memory);
    const float logarithm = logf(sum);
    for (u32 c = threadIdx.x; c < job.columns; c += THREADS) {
        float x = from[c * job.inner] - most;
        out[row + c * job.inner] = job.is_logarithm ? x - logarithm : expf(x) / sum;
    }
}
