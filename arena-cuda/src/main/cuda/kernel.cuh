// What every kernel includes. The kernels are CUDA C that is also plain C: the tests compile them for the host, with
// other definitions of the words in capitals (src/test/native/host.h).
#pragma once

#ifndef KERNEL
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define BY_VALUE const __grid_constant__
#define ALIGNED(bytes) __align__(bytes)
#define GLOBAL(type, address) (*(type *)(address))
#define FLOAT_BITS(value) __float_as_uint(value)
#define BITS_FLOAT(bits) __uint_as_float(bits)
#define HALF_FLOAT(bits) half_float(bits)
// Shared memory whose size the launch gives, a multiple of 16 bytes.
#define DYNAMIC_SHARED(name) extern __shared__ Words4 name[]
#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STEP ((u64)gridDim.x * blockDim.x)
// The compiler computes a float where this stands, and not later.
#define COMPUTED(number) asm volatile("" : "+f"(number))
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__
DEVICE float half_float(u32 bits) {
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"((u16)bits));
    return number;
}
#endif

// Device memory is read and written in pieces of 16 bytes where its addresses allow it.
typedef struct ALIGNED(16) {
    u32 word[4];
} Words4;

typedef struct ALIGNED(8) {
    u32 word[2];
} Words2;

// Where kernels start early, from compute capability 9.0 on: waits for the kernel in front, and for what it wrote.
DEVICE void wait_for_last(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Lets the kernel behind this one start, once all blocks have called it.
DEVICE void start_next(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// An access of a GPU faults at an address that is no multiple of its size.
DEVICE u32 load32(u64 address) {
    if (address % 4 == 0) {
        return GLOBAL(const u32, address);
    }
    u32 value = 0;
    for (int i = 0; i < 4; i++) {
        value |= (u32)GLOBAL(const u8, address + i) << (8 * i);
    }
    return value;
}

DEVICE void store32(u64 address, u32 value) {
    if (address % 4 == 0) {
        GLOBAL(u32, address) = value;
        return;
    }
    for (int i = 0; i < 4; i++) {
        GLOBAL(u8, address + i) = (u8)(value >> (8 * i));
    }
}

DEVICE void store16(u64 address, u32 value) {
    if (address % 2 == 0) {
        GLOBAL(u16, address) = (u16)value;
        return;
    }
    GLOBAL(u8, address) = (u8)value;
    GLOBAL(u8, address + 1) = (u8)(value >> 8);
}
