// The casts of io.devicearena.cast.TypedCasts, bit for bit: to nearest, ties to even, with subnormals; a NaN becomes
// quiet and keeps its sign and the top of its payload. The conversions of the hardware lose the payload.
#pragma once
#include "kernel.cuh"

#define F16 0
#define BF16 1

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

DEVICE u32 f16_to_f32(u32 half) {
    u32 sign = (half & 0x8000) << 16;
    u32 magnitude = half & 0x7FFF;
    if (magnitude > 0x7C00) {
        return sign | 0x7FC00000 | magnitude << 13;
    }
    if (magnitude == 0x7C00) {
        return sign | 0x7F800000;
    }
    if (magnitude < 0x400) {
        return sign | FLOAT_BITS((float)magnitude * 5.9604644775390625e-8f); // 2^-24
    }
    return sign | ((magnitude << 13) + 0x38000000);
}

DEVICE u32 f32_to_bf16(u32 bits) {
    if ((bits & 0x7FFFFFFF) > 0x7F800000) {
        return bits >> 16 | 0x40;
    }
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

DEVICE u32 bf16_to_f32(u32 bf16) {
    u32 bits = bf16 << 16;
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? bits | 0x400000 : bits;
}

DEVICE u32 narrow(u32 bits, int format) {
    return format == F16 ? f32_to_f16(bits) : f32_to_bf16(bits);
}

DEVICE u32 widen(u32 bits, int format) {
    return format == F16 ? f16_to_f32(bits) : bf16_to_f32(bits);
}

DEVICE Words2 narrow4(Words4 floats, int format) {
    Words2 pairs;
    pairs.word[0] = narrow(floats.word[0], format) | narrow(floats.word[1], format) << 16;
    pairs.word[1] = narrow(floats.word[2], format) | narrow(floats.word[3], format) << 16;
    return pairs;
}

// Casts n floats at src to 16-bit values at dst; each thread takes its share of both loops.
DEVICE void narrow_all(u64 src, u64 dst, u64 n, int format) {
    u64 fours = src % 16 == 0 && dst % 8 == 0 ? n / 4 : 0;
    for (u64 i = FIRST; i < fours; i += STEP) {
        GLOBAL(Words2, dst + 8 * i) = narrow4(GLOBAL(const Words4, src + 16 * i), format);
    }
    for (u64 i = 4 * fours + FIRST; i < n; i += STEP) {
        store16(dst + 2 * i, narrow(load32(src + 4 * i), format));
    }
}

// Casts n 16-bit values at src to floats at dst; each thread takes its share of both loops.
DEVICE void widen_all(u64 src, u64 dst, u64 n, int format) {
    u64 fours = src % 8 == 0 && dst % 16 == 0 ? n / 4 : 0;
    for (u64 i = FIRST; i < fours; i += STEP) {
        Words2 pairs = GLOBAL(const Words2, src + 8 * i);
        Words4 floats;
        floats.word[0] = widen(pairs.word[0] & 0xFFFF, format);
        floats.word[1] = widen(pairs.word[0] >> 16, format);
        floats.word[2] = widen(pairs.word[1] & 0xFFFF, format);
        floats.word[3] = widen(pairs.word[1] >> 16, format);
        GLOBAL(Words4, dst + 16 * i) = floats;
    }
    for (u64 i = 4 * fours + FIRST; i < n; i += STEP) {
        store32(dst + 4 * i, widen(load16(src + 2 * i), format));
    }
}
