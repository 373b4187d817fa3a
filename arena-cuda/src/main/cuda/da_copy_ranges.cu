#include "casts.cuh"

#define JOBS 32

// One range to copy. `mirror`: 0, or where the f16 cast of its floats goes; its lowest bit asks for one zero more behind
// them. `to`: 0 where only the mirror is written.
typedef struct {
    u64 from;
    u64 to;
    u64 mirror;
    u64 bytes;
} Job;

typedef struct {
    Job job[JOBS];
} Jobs;

DEVICE void copy_bytes(u64 from, u64 to, u64 bytes) {
    u64 pieces = (from | to) % 16 == 0 ? bytes / 16 : 0;
    for (u64 i = FIRST; i < pieces; i += STEP) {
        GLOBAL(Words4, to + 16 * i) = GLOBAL(const Words4, from + 16 * i);
    }
    u64 words = (from | to) % 4 == 0 ? bytes / 4 : 0;
    for (u64 i = 4 * pieces + FIRST; i < words; i += STEP) {
        GLOBAL(u32, to + 4 * i) = GLOBAL(const u32, from + 4 * i);
    }
    u64 done = words > 4 * pieces ? 4 * words : 16 * pieces;
    for (u64 i = done + FIRST; i < bytes; i += STEP) {
        GLOBAL(u8, to + i) = GLOBAL(const u8, from + i);
    }
}

DEVICE void copy_floats(u64 from, u64 to, u64 mirror, u64 n) {
    u64 fours = (from | to) % 16 == 0 && mirror % 8 == 0 ? n / 4 : 0;
    for (u64 i = FIRST; i < fours; i += STEP) {
        Words4 floats = GLOBAL(const Words4, from + 16 * i);
        if (to != 0) {
            GLOBAL(Words4, to + 16 * i) = floats;
        }
        GLOBAL(Words2, mirror + 8 * i) = narrow4(floats, F16);
    }
    for (u64 i = 4 * fours + FIRST; i < n; i += STEP) {
        u32 bits = load32(from + 4 * i);
        if (to != 0) {
            store32(to + 4 * i, bits);
        }
        store16(mirror + 2 * i, f32_to_f16(bits));
    }
}

// Does one job in each row of the grid.
KERNEL da_copy_ranges(BY_VALUE Jobs jobs) {
    u64 from = jobs.job[blockIdx.y].from;
    u64 to = jobs.job[blockIdx.y].to;
    u64 mirror = jobs.job[blockIdx.y].mirror;
    u64 bytes = jobs.job[blockIdx.y].bytes;
    if (mirror == 0) {
        copy_bytes(from, to, bytes);
    } else {
        u64 halves = mirror & ~1ULL;
        copy_floats(from, to, halves, bytes / 4);
        if (mirror != halves && FIRST == 0) {
            store16(halves + bytes / 2, 0);
        }
    }
}
