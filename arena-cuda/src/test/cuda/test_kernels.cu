// Kernels that tests launch; PTX of them is a resource of the tests.
#include "../../main/cuda/kernel.cuh"

KERNEL test_add(u64 a, u64 b, u64 out, u32 n) {
    for (u64 i = FIRST; i < n; i += STEP) {
        GLOBAL(float, out + 4 * i) = GLOBAL(const float, a + 4 * i) + GLOBAL(const float, b + 4 * i);
    }
}

KERNEL test_scale(u64 values, float factor, u32 n) {
    for (u64 i = FIRST; i < n; i += STEP) {
        GLOBAL(float, values + 4 * i) *= factor;
    }
}

// Spins until the host sets a word: holds its stream.
KERNEL test_wait(u64 flag) {
    while (GLOBAL(volatile u32, flag) == 0) {
    }
}

KERNEL test_illegal(u64 address) {
    GLOBAL(u32, address & 0xFFF) = 1;
}
