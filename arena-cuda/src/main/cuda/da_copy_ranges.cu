#include "kernel.cuh"

#define JOBS 32
#define OWN_BYTES 1024

// One range to copy. `from`: an address, or a place in the bytes of the launch itself. `mirror`: 0, or where the f16 cast
// of its floats goes; its lowest bit asks for one zero more behind them. `to`: 0 where only the mirror is written.
typedef struct {
    u64 from;
    u64 to;
    u64 mirror;
    u64 bytes;
} Job;

typedef struct {
    Job job[JOBS];
    u8 bytes[OWN_BYTES]; // read without a way over the bus
    u64 signals; // 0, or a word for each block, which is 1 once its bytes are there
} Jobs;

// The cast of io.devicearena.cast.TypedCasts, bit for bit: to nearest, ties to even, with subnormals; a NaN becomes quiet
// and keeps its sign and the top of its payload. The conversion of the hardware loses the payload.
DEVICE u32 f32_to_f16(u32 bits) {
    u32 sign = bits >> 16 & 0x8000;
    u32 magnitude = bits & 0x7FFFFFFF;
    if (magnitude > 0x7F800000) {
        return sign | 0x7E00 | (magnitude >> 13 & 0x3FF);
    }
    if (magnitude >= 0x477FF000) { // half a unit above the largest f16, and more
        return sign | 0x7C00;
    }
    if (magnitude < 0x38800000) { // below the smallest normal f16: the last bit of 0.5f is that of a subnormal f16
        return sign | (FLOAT_BITS(BITS_FLOAT(magnitude) + 0.5f) - 0x3F000000);
    }
    return sign | ((magnitude - 0x38000000 + 0xFFF + (magnitude >> 13 & 1)) >> 13);
}

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
        Words2 halves;
        halves.word[0] = f32_to_f16(floats.word[0]) | f32_to_f16(floats.word[1]) << 16;
        halves.word[1] = f32_to_f16(floats.word[2]) | f32_to_f16(floats.word[3]) << 16;
        GLOBAL(Words2, mirror + 8 * i) = halves;
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
    if (from < OWN_BYTES) {
        from += (u64)jobs.bytes;
    }
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
    if (jobs.signals != 0) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_system();
            GLOBAL(volatile u32, jobs.signals + 4 * (blockIdx.y * gridDim.x + blockIdx.x)) = 1;
        }
    }
}
