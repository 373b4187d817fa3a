// How 16 consecutive elements of a row of weights become floats. The words of a part of the row, a panel, lie in shared
// memory; its first byte is `start`, 0 or 2. The types are numbered as in Matrix.TYPES.
#pragma once

enum { F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q4_K, Q5_K, Q6_K };

#define PANEL_WORDS 53 // for a super-block of Q6_K; an odd number, so that rows begin in different banks

// How a row is stored: its blocks, and the panels of whole blocks in which it is copied, of at most PANEL_WORDS - 1 words
// and 64 or more columns. Numbers of columns are powers of two.
typedef struct {
    u32 type, row_bytes, block_shift, block_bytes, panel_shift, panel_bytes;
} Format;

// What belongs to one of three matrices. An array with an index would not stay in registers.
#define OF_PART(array, number) ((number) == 0 ? (array)[0] : (number) == 1 ? (array)[1] : (array)[2])

// Four bytes from an even byte on.
DEVICE u32 word_at(const u32 *words, u32 byte) {
    return (u32)(((u64)words[byte / 4 + 1] << 32 | words[byte / 4]) >> 8 * (byte & 2));
}

DEVICE float half_at(const u32 *words, u32 byte) { return HALF_FLOAT(words[byte / 4] >> 8 * (byte & 2)); }

DEVICE u32 byte_at(const u32 *words, u32 byte) { return words[byte / 4] >> 8 * (byte & 3) & 255; }

// A whole number below 2^23 less another, without a conversion, which is slow.
DEVICE float number(u32 whole, float less) { return BITS_FLOAT(0x4b000000 | whole) - (8388608 + less); }

// The scale (part 0) or minimum (part 1) of a group of 32 elements of Q4_K and Q5_K, 0 to 63, from 12 bytes.
DEVICE float six_bits(const u32 *words, u32 at, u32 part, u32 group) {
    u32 first = byte_at(words, at + 4 * part + group % 4);
    u32 bits = byte_at(words, at + 8 + group % 4) >> 4 * part & 15;
    return number(group < 4 ? first & 63 : bits | first >> 6 << 4, 0);
}

// Puts some bits (a mask) at `shift` of each byte above `low` bits that are there.
DEVICE void add_bits(const u32 *words, u32 byte, u32 shift, u32 mask, u32 low, const int count, u32 *numbers) {
#pragma unroll
    for (int i = 0; i < count / 4; i++) {
        numbers[i] |= (word_at(words, byte + 4 * i) >> shift & mask * 0x01010101) << low;
    }
}

// Unpacks 4, 8 or 16 elements from a column of the panel on, a multiple of their number.
DEVICE void unpack(const Format *format, const u32 *words, u32 start, u32 column, const int count, float *to) {
    const u32 type = format->type, at = start + (column >> format->block_shift) * format->block_bytes;
    if (type == F32) {
#pragma unroll
        for (int i = 0; i < count; i++) {
            to[i] = BITS_FLOAT(words[at / 4 + i]);
        }
        return;
    }
    if (type <= BF16) {
#pragma unroll
        for (int i = 0; i < count; i++) {
            u32 bits = words[at / 4 + i / 2] >> 16 * (i % 2);
            to[i] = type == F16 ? HALF_FLOAT(bits) : BITS_FLOAT(bits << 16);
        }
        return;
    }
    const u32 in_block = column % (1 << format->block_shift), half = in_block / 16, group = half / 2, of_half = column % 16;
    u32 numbers[4] = {0, 0, 0, 0};
    float scale = half_at(words, at), zero = 0, minimum = 0;
    switch (type) {
        case Q8_0:
            add_bits(words, at + 2 + in_block, 0, 255, 0, count, numbers);
#pragma unroll
            for (int i = 0; i < count / 4; i++) {
                numbers[i] ^= 0x80808080;
            }
            zero = 128;
            break;
        case Q4_0:
            add_bits(words, at + 2 + of_half, 4 * half, 15, 0, count, numbers);
            zero = 8;
            break;
        case Q4_1:
            minimum = half_at(words, at + 2);
            add_bits(words, at + 4 + of_half, 4 * half, 15, 0, count, numbers);
            break;
        case Q5_0: {
            u32 fifths = word_at(words, at + 2) >> in_block;
            add_bits(words, at + 6 + of_half, 4 * half, 15, 0, count, numbers);
#pragma unroll
            for (int i = 0; i < count / 4; i++) {
                numbers[i] |= ((fifths >> 4 * i & 15) * 0x00204081 & 0x01010101) << 4; // a bit to each byte
            }
            zero = 16;
            break;
        }
        case Q4_K:
        case Q5_K: {
            u32 fours = at + (type == Q4_K ? 16 : 48) + group / 2 * 32 + half % 2 * 16 + of_half;
            minimum = -half_at(words, at + 2) * six_bits(words, at + 4, 1, group);
            scale *= six_bits(words, at + 4, 0, group);
            add_bits(words, fours, group % 2 * 4, 15, 0, count, numbers);
            if (type == Q5_K) {
                add_bits(words, at + 16 + half % 2 * 16 + of_half, group, 1, 4, count, numbers);
            }
            break;
        }
        default: {
            u32 quarter = group % 4, last = 16 * (half % 2) + of_half;
            scale = half_at(words, at + 208) * number(byte_at(words, at + 192 + half) ^ 128, 128);
            add_bits(words, at + half / 8 * 64 + quarter % 2 * 32 + last, quarter / 2 * 4, 15, 0, count, numbers);
            add_bits(words, at + 128 + half / 8 * 32 + last, 2 * quarter, 3, 4, count, numbers);
            zero = 32;
        }
    }
#pragma unroll
    for (int i = 0; i < count; i++) {
        to[i] = scale * (BITS_FLOAT(__byte_perm(numbers[i / 4], 0x4b000000, 0x7440 | i % 4)) - (8388608 + zero)) + minimum;
    }
}
