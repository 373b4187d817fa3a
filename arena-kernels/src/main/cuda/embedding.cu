// The rows of tokens in a packed table, scaled: a block for each row of the output.
// also for compute_90
#include "kernel.cuh"
#include "weights.cuh"

typedef struct {
    u32 columns, has_tokens, rows;
    float scale;
    Format format;
} EmbeddingJob;

KERNEL da_embedding(float *out, const u32 *tokens, const u32 *cursor, const u8 *table, BY_VALUE EmbeddingJob job) {
    wait_for_last();
    start_next();
    if (blockIdx.x >= cursor[1]) {
        return;
    }
    u32 token = job.has_tokens ? tokens[blockIdx.x] : cursor[2];
    token = token < job.rows ? token : job.rows - 1;
    const u8 *row = table + (u64)token * job.format.row_bytes;
    for (u32 c = 4 * threadIdx.x; c < job.columns; c += 4 * blockDim.x) {
        float elements[4];
        unpack(&job.format, row, c, 4, elements);
        for (int i = 0; i < 4; i++) {
            out[(u64)blockIdx.x * job.columns + c + i] = job.scale * elements[i];
        }
    }
}
