// One row of up to 640 floats times a packed matrix of so many rows that each warp multiplies many, such as the head. A
// warp has ROWS neighbours at a time, and copies the next ones to shared memory meanwhile. It keeps the floats in registers.
// also for compute_80
// also for compute_90
#include "kernel.cuh"
#include "copies.cuh"
#include "row_products.cuh"

#define UNITS 5
#define ROWS 4
#define STAGES 2

// Where some rows begin and end in memory, in vectors of 16 bytes.
typedef struct {
    u64 first;
    u32 start, count; // the bytes in front of the rows, and the vectors that have some of them
} Piece;

DEVICE Piece piece_of(const u8 *weights, const RowPart *part, u32 row) {
    const u64 begin = (u64)weights + (u64)row * part->row_bytes;
    const u32 rows = row + ROWS <= part->rows ? ROWS : part->rows - row;
    Piece piece = {begin / 16 * 16, (u32)(begin % 16), (u32)(begin % 16 + rows * part->row_bytes + 15) / 16};
    return piece;
}

// The warp copies what it has in a turn.
DEVICE void copy_rows(const u8 *weights, const RowPart *part, u32 row, Words4 *stage) {
    if (row < part->rows) {
        const Piece piece = piece_of(weights, part, row);
        for (u32 i = threadIdx.x % 32; i < piece.count; i += 32) {
            copy_vector(stage + i, &GLOBAL(const Words4, piece.first + 16 * i));
        }
    }
    end_copies();
}

KERNEL __launch_bounds__(256, 3) da_many_row_products(ONE_ROW, const u8 *weights, const float *bias, float *out,
    BY_VALUE RowJob job) {
    DYNAMIC_SHARED(memory);
    const RowPointers to = {ITS_ROW, {weights, 0, 0}, {bias, 0, 0}, {out, 0, 0}};
    const RowPart *part = &job.part[0];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, columns = job.columns;
    const u32 vectors = ROWS * part->row_bytes / 16 + 2, step = gridDim.x * warps * ROWS, lanes = 32 / ROWS;
    Floats4 *sums_of = (Floats4 *)memory, *staged = sums_of + MEMORY_OF_SUMS;
    Words4 *stages = memory + MEMORY_OF_SUMS + columns / 4 + warp * STAGES * vectors;
    u32 row = (blockIdx.x * warps + warp) * ROWS, stage = 0;
    for (u32 i = 0; i < STAGES; i++) {
        copy_rows(weights, part, row + i * step, stages + i * vectors);
    }
    Norms norms = {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}};
    if (threadIdx.x < 4 * MEMORY_OF_SUMS) {
        ((float *)memory)[threadIdx.x] = 0;
    }
    if (norm && threadIdx.x < columns / 4) {
        norms = read_norms(&to, threadIdx.x);
    }
    __syncthreads();
    wait_for_last();
    start_next();
    const float scale = norm ? stage_normed(&to, &job, &norms, staged, sums_of, MOST_WARPS) : 1;
    Floats4 held[UNITS];
    for (u32 i = 0; i < UNITS; i++) {
        const u32 v = 32 * i + lane;
        for (u32 j = 0; j < 4; j++) {
            held[i].at[j] = 4 * v >= columns ? 0 : scale * (norm ? staged[v] : vector_at(x, v)).at[j];
        }
    }
    for (; row < part->rows; row += step) {
        wait_for_copies<STAGES - 1>();
        __syncwarp();
        const u8 *from = (const u8 *)(stages + stage * vectors) + piece_of(weights, part, row).start;
        float products[ROWS];
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            float unpacked[4 * UNITS], of_four[4] = {0, 0, 0, 0};
            unpack_units<UNITS>(part->type, from + r * part->row_bytes, 0, columns, unpacked);
            for (u32 i = 0; i < 4 * UNITS; i++) {
                of_four[i % 4] += unpacked[i] * held[i / 4].at[i % 4];
            }
            products[r] = of_four[0] + of_four[1] + (of_four[2] + of_four[3]);
        }
        __syncwarp();
        copy_rows(weights, part, row + STAGES * step, stages + stage * vectors);
        stage = (stage + 1) % STAGES;
        // lanes divide the rows among themselves while they add up
        for (u32 half = ROWS / 2, distance = 16; half > 0; half /= 2, distance /= 2) {
            for (u32 r = 0; r < half; r++) {
                const u32 is_upper = lane & distance;
                const float other = __shfl_xor_sync(~0u, is_upper ? products[r] : products[r + half], distance);
                products[r] = (is_upper ? products[r + half] : products[r]) + other;
            }
        }
        const Place place = {0, row + lane / lanes};
        const float sum = lanes_sum(products[0], lanes);
        if (lane % lanes == 0 && place.row < part->rows) {
            store_row(&to, &job, place, sum);
        }
    }
}
