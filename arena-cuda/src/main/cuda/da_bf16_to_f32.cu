#include "casts.cuh"

// Casts n values at src to values at dst; the two ranges do not overlap.
KERNEL da_bf16_to_f32(u64 src, u64 dst, u64 n) {
    widen_all(src, dst, n, BF16);
}
