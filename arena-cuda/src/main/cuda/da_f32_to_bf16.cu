#include "casts.cuh"

// Casts n values at src to values at dst; the two ranges do not overlap.
KERNEL da_f32_to_bf16(u64 src, u64 dst, u64 n) {
    narrow_all(src, dst, n, BF16);
}
