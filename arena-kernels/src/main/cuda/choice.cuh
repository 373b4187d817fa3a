// What kernels that choose a token share.
#pragma once

#define THREADS 256

// An ordered logit and its index.
typedef struct ALIGNED(8) {
    u32 key, index;
} Found;

// An unsigned integer that is ordered as the floats are: 0 for a NaN, which no number has.
DEVICE u32 ordered(u32 bits) { return (bits & 0x7fffffff) > 0x7f800000 ? 0 : bits >> 31 ? ~bits : bits | 0x80000000; }

DEVICE Found better(Found a, Found b) { return b.key > a.key || (b.key == a.key && b.index < a.index) ? b : a; }

// The best of a block.
DEVICE Found best_of(Found own, Found *memory) {
    memory[threadIdx.x] = own;
    __syncthreads();
    for (u32 half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            memory[threadIdx.x] = better(memory[threadIdx.x], memory[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return memory[0];
}

// Moves the cursor behind the rows of a step, to the token that was chosen.
DEVICE void advance(u32 *cursor, u32 token) {
    cursor[0] += cursor[1];
    cursor[1] = 1;
    cursor[2] = token;
    cursor[3] += 1;
}
