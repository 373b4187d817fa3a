// The rows of tokens in a packed table, scaled: a block for each row of the output, whose warps take turns with its pieces.
// also for compute_90
#include "kernel.cuh"
#include "rows.cuh"

#define WARPS 4
#define LOADS 6
#define BUFFER_WORDS (128 * LOADS + 8) // a word behind the last one is read, but not used

typedef struct {
    u32 columns, has_tokens;
    float scale;
    Rows table;
} EmbeddingJob;

KERNEL da_embedding(float *out, const u32 *tokens, const u32 *cursor, const u8 *table, BY_VALUE EmbeddingJob job) {
    __shared__ Words4 buffers[WARPS * BUFFER_WORDS / 4];
    Words4 held[LOADS], *buffer = buffers + threadIdx.x / 32 * (BUFFER_WORDS / 4);
    wait_for_last();
    start_next();
    if (blockIdx.x >= cursor[1]) {
        return;
    }
    u32 token = job.has_tokens ? tokens[blockIdx.x] : cursor[2];
    token = token < job.table.rows ? token : job.table.rows - 1;
    for (u32 number = threadIdx.x / 32; number < job.table.pieces; number += WARPS) {
        const u32 before = number << job.table.format.panel_shift;
        const u32 end = number + 1 < job.table.pieces ? before + (1 << job.table.format.panel_shift) : job.columns;
        const Piece piece = piece_at(table, &job.table, token, number);
        fetch<LOADS>(piece, held);
        keep<LOADS>(piece, held, buffer);
        for (u32 c = before + 16 * (threadIdx.x % 32); c < end; c += 16 * 32) {
            float elements[16];
            unpack(&job.table.format, (const u32 *)buffer, piece.start, c - before, 16, elements);
            for (int i = 0; i < 16 && c + i < job.columns; i++) {
                out[(u64)blockIdx.x * job.columns + c + i] = job.scale * elements[i];
            }
        }
    }
}
