// Adds an update to rows of a residual stream, by its norm if it has one: a warp for each row.
#include "kernel.cuh"
#include "warp.cuh"

typedef struct {
    u32 tokens, columns, has_norm;
    float epsilon;
} AddJob;

KERNEL da_add_normed(const float *residual, const float *update, const float *norm, float *sums, BY_VALUE AddJob job) {
    u32 token = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (token >= job.tokens) {
        return;
    }
    u64 row = (u64)token * job.columns;
    float squares = 0;
    for (u32 c = 4 * lane; job.has_norm && c < job.columns; c += 128) {
        Floats4 u = GLOBAL(const Floats4, (u64)(update + row + c));
        for (int i = 0; i < 4; i++) {
            squares += u.at[i] * u.at[i];
        }
    }
    float scale = job.has_norm ? 1 / sqrtf(warp_sum(squares) / job.columns + job.epsilon) : 1;
    for (u32 c = 4 * lane; c < job.columns; c += 128) {
        Floats4 r = GLOBAL(const Floats4, (u64)(residual + row + c));
        Floats4 u = GLOBAL(const Floats4, (u64)(update + row + c));
        Floats4 weight = {{1, 1, 1, 1}};
        if (job.has_norm) {
            weight = GLOBAL(const Floats4, (u64)(norm + c));
        }
        for (int i = 0; i < 4; i++) {
            r.at[i] += scale * weight.at[i] * u.at[i];
        }
        GLOBAL(Floats4, (u64)(sums + row + c)) = r;
    }
}
