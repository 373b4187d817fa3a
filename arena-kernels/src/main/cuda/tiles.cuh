// Products in tiles: 8 by 8 threads compute SIDE by SIDE sums each, of operands in shared memory. A kernel says for its operands
//     float left_at(const Operands *, u32 row, u32 k)
//     Operands::Column column_of(const Operands *, u32 column), float right_at(const Operands *, Operands::Column, u32 k)
//     void store(const Operands *, u32 row, u32 column, float sum)
#pragma once

#define TEAM 8
#define THREADS (TEAM * TEAM)
#define MOST_TILE (4 * TEAM)
// What is in memory at a time of the depth.
#define PART 32

typedef struct {
    u32 rows, columns, depth;
    u32 side_log; // of the sums of a thread along a side: 0 to 2
} Tiles;

// Leaves the sums in memory.
template <int SIDE, class Operands> DEVICE void multiply(const Tiles *tiles, const Operands *operands, float *memory) {
    const u32 tile = TEAM * SIDE, pitch = tile + 1; // one more, so that neighbours in depth are in different banks
    const u32 row = blockIdx.y * tile, loaded = blockIdx.x * tile + threadIdx.x % tile;
    const u32 r = threadIdx.x / TEAM, c = threadIdx.x % TEAM, left_k = threadIdx.x % PART;
    float *lefts = memory, *rights = memory + PART * pitch;
    const typename Operands::Column column = column_of(operands, loaded);
    float sums[SIDE][SIDE] = {{0}};
    for (u32 first = 0; first < tiles->depth; first += PART) {
        __syncthreads();
#pragma unroll
        for (u32 i = threadIdx.x / PART; i < tile; i += THREADS / PART) {
            bool is_in = row + i < tiles->rows && first + left_k < tiles->depth;
            lefts[left_k * pitch + i] = is_in ? left_at(operands, row + i, first + left_k) : 0;
        }
#pragma unroll
        for (u32 k = threadIdx.x / tile; k < PART; k += THREADS / tile) {
            bool is_in = loaded < tiles->columns && first + k < tiles->depth;
            rights[k * tile + threadIdx.x % tile] = is_in ? right_at(operands, column, first + k) : 0;
        }
        __syncthreads();
#pragma unroll 8
        for (u32 k = 0; k < PART; k++) {
            for (int y = 0; y < SIDE; y++) {
                for (int x = 0; x < SIDE; x++) {
                    sums[y][x] = fmaf(lefts[k * pitch + y * TEAM + r], rights[k * tile + x * TEAM + c], sums[y][x]);
                }
            }
        }
    }
    __syncthreads();
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            memory[(y * TEAM + r) * tile + x * TEAM + c] = sums[y][x];
        }
    }
    __syncthreads();
}

template <class Operands> DEVICE void multiply_and_store(const Tiles *tiles, const Operands *operands) {
    __shared__ float memory[PART * (2 * MOST_TILE + 1)];
    if (tiles->side_log == 0) {
        multiply<1>(tiles, operands, memory);
    } else if (tiles->side_log == 1) {
        multiply<2>(tiles, operands, memory);
    } else {
        multiply<4>(tiles, operands, memory);
    }
    const u32 tile = TEAM << tiles->side_log;
    for (u32 i = threadIdx.x; i < tile * tile; i += THREADS) {
        u32 row = blockIdx.y * tile + i / tile, column = blockIdx.x * tile + i % tile;
        if (row < tiles->rows && column < tiles->columns) {
            store(operands, row, column, memory[i]);
        }
    }
}
