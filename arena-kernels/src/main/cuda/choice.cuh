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

// The best of so many neighbours, a power of two.
DEVICE Found best_of_lanes(Found own, u32 lanes) {
    for (u32 distance = lanes / 2; distance > 0; distance /= 2) {
        Found other = {__shfl_xor_sync(~0u, own.key, distance), __shfl_xor_sync(~0u, own.index, distance)};
        own = better(own, other);
    }
    return own;
}

// The best of a block, whose warps write to memory.
DEVICE Found best_of(Found own, Found *memory) {
    memory[threadIdx.x / 32] = best_of_lanes(own, 32);
    __syncthreads();
    return best_of_lanes(memory[threadIdx.x % (THREADS / 32)], THREADS / 32);
}

// Moves the cursor behind the rows of a step, to the token that was chosen.
DEVICE void advance(u32 *cursor, u32 token) {
    cursor[0] += cursor[1];
    cursor[1] = 1;
    cursor[2] = token;
    cursor[3] += 1;
}
