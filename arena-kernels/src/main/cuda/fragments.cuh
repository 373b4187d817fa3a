// Products of small matrices that the threads of a warp hold together, as the instruction mma.m16n8k8 has them. Of
// thread 4 g + t, a[0..3] are the elements (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4) of a matrix of 16 by 8, b[0..1]
// the elements (t, g), (t + 4, g) of one of 8 by 8, and sums[0..3] the elements (g, 2t), (g, 2t + 1), (g + 8, 2t),
// (g + 8, 2t + 1) of the product. The order of the 8 is free, so a thread has 2 neighbours of them instead of t and t + 4.
//
// Tensor cores multiply numbers of 11 bits. With `exact` each number is a sum of two of them, and three products are
// added; what is left out is 2^-22 of a product. Without it there is one product of rounded numbers.
// Source: H. Ootomo and R. Yokota, Recovering single precision accuracy from Tensor Cores, 2022.
#pragma once
#include "copies.cuh"
#include "warp.cuh"

typedef struct {
    u32 high, low;
} Split;

// A tile in shared memory has 32 columns as 8 pieces of 16 bytes. The pieces of a row are permuted, so that 8 threads
// which write a column of pieces, or read four pieces of two rows, meet no bank of the memory twice.
DEVICE u32 piece(u32 row, u32 index) { return 8 * row + (index ^ ((row & 1) << 2 | (row >> 1 & 3))); }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define CAN_ROUND 1

DEVICE Split split(float x, int exact) {
    Split parts;
    parts.high = (FLOAT_BITS(x) + 0x1000) & 0xffffe000;
    parts.low = exact ? FLOAT_BITS(x - BITS_FLOAT(parts.high)) : 0;
    return parts;
}

DEVICE void mma(float *sums, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

DEVICE void multiply(float *sums, const Split *a, const Split *b, int exact) {
    if (exact) {
        mma(sums, a[0].low, a[1].low, a[2].low, a[3].low, b[0].high, b[1].high);
        mma(sums, a[0].high, a[1].high, a[2].high, a[3].high, b[0].low, b[1].low);
    }
    mma(sums, a[0].high, a[1].high, a[2].high, a[3].high, b[0].high, b[1].high);
}
#else
// Without such tensor cores, threads pass each other the numbers, and multiply them as they are.
#define CAN_ROUND 0

DEVICE Split split(float x, int exact) {
    Split parts;
    parts.high = FLOAT_BITS(x);
    parts.low = 0;
    return parts;
}

#ifdef FIBER_NUMBERS // on the host one exchange for all of them is much faster
#define BEGIN_PASSING                                                                                   \
    const u32 own[] = {a[0].high, a[1].high, a[2].high, a[3].high, b[0].high, b[1].high};              \
    const FiberNumbers *all = fiber_exchange(own, 6)
#define PASSED(fragment, index, lane) BITS_FLOAT(all[lane][(fragment) == a ? (index) : 4 + (index)])
#else
#define BEGIN_PASSING
#define PASSED(fragment, index, lane) BITS_FLOAT(__shfl_sync(~0u, (fragment)[index].high, lane))
#endif

DEVICE void multiply(float *sums, const Split *a, const Split *b, int exact) {
    BEGIN_PASSING;
    u32 lane = threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
    for (u32 k = 0; k < 4; k++) {
        for (int half = 0; half < 2; half++) {
            float top = PASSED(a, 2 * half, row + k);
            float bottom = PASSED(a, 2 * half + 1, row + k);
            float left = PASSED(b, half, column + k);
            float right = PASSED(b, half, column + 4 + k);
            sums[0] += top * left;
            sums[1] += top * right;
            sums[2] += bottom * left;
            sums[3] += bottom * right;
        }
    }
}
#endif
