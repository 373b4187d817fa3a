// Copies to shared memory that go on while the thread works, from compute capability 8.0 on.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define SHARED_ADDRESS(to) "r"((u32)__cvta_generic_to_shared(to))

// A word, or zero.
DEVICE void copy_word(u32 *to, const u32 *from, int valid) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::SHARED_ADDRESS(to), "l"(from), "r"(valid ? 4 : 0)
                 : "memory");
}

DEVICE void copy_vector(Words4 *to, const Words4 *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::SHARED_ADDRESS(to), "l"(from) : "memory");
}

// All that the thread began are done.
DEVICE void finish_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// Those that the thread began since the last call belong together.
DEVICE void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// All but the last GROUPS of those that belong together are done.
template <int GROUPS> DEVICE void wait_for_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory"); }
#else
DEVICE void copy_word(u32 *to, const u32 *from, int valid) { *to = valid ? *from : 0; }

DEVICE void copy_vector(Words4 *to, const Words4 *from) { *to = *from; }

DEVICE void finish_copies() {}

DEVICE void end_copies() {}

template <int GROUPS> DEVICE void wait_for_copies() {}
#endif
