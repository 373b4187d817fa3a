// Sums and maxima over the threads of a block.
#pragma once
#include "warp.cuh"

#define THREADS 256
#define WARPS (THREADS / 32)

DEVICE float block_sum(float own, float *memory) {
    float sum = warp_sum(own);
    __syncthreads();
    memory[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < WARPS; i++) {
        sum += memory[i];
    }
    return sum;
}

DEVICE float block_max(float own, float *memory) {
    for (u32 distance = 16; distance > 0; distance /= 2) {
        own = fmaxf(own, __shfl_xor_sync(~0u, own, distance));
    }
    __syncthreads();
    memory[threadIdx.x / 32] = own;
    __syncthreads();
    for (int i = 0; i < WARPS; i++) {
        own = fmaxf(own, memory[i]);
    }
    return own;
}
