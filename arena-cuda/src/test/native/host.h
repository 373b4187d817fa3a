// The words of CUDA C in plain C, for src/main/cuda and src/test/cuda. The threads of a block run one after the other,
// the first one last: so thread 0 comes to what follows a barrier when the others have come to the barrier.
#pragma once

#define KERNEL static void
#define DEVICE static inline
#define BY_VALUE const
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GLOBAL(type, address) (*(type *)((address) & ((1ULL << 48) - 1)))
#define FLOAT_BITS(value) (((union { float number; unsigned bits; }){.number = (value)}).bits)
#define BITS_FLOAT(value) (((union { unsigned bits; float number; }){.bits = (value)}).number)
#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STEP ((u64)gridDim.x * blockDim.x)

typedef struct {
    unsigned x, y, z;
} Dimensions;

static __thread Dimensions gridDim, blockDim, blockIdx, threadIdx;

#define __threadfence_system() __sync_synchronize()
#define __syncthreads() ((void)0)
#define atomicAdd(address, value) __sync_fetch_and_add(address, value)
