// How consecutive elements of a row of weights become floats. The bytes of the row, or of a part of it, a panel, lie in
// device or in shared memory, from an even address on, and of blocks that are a multiple of 4 bytes from a multiple of 4
// on. The types are numbered as in Matrix.TYPES.
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

DEVICE u32 two_bytes(const u8 *from) { return *(const u16 *)from; }

DEVICE u32 four_bytes(const u8 *from, const int is_aligned) {
    return is_aligned ? *(const u32 *)from : two_bytes(from) | two_bytes(from + 2) << 16;
}

DEVICE float half_at(const u8 *from) { return HALF_FLOAT(two_bytes(from)); }

// A whole number below 2^23 less another, without a conversion, which is slow.
DEVICE float number(u32 whole, float less) { return BITS_FLOAT(0x4b000000 | whole) - (8388608 + less); }

// The scale (part 0) or minimum (part 1) of a group of 32 elements of Q4_K and Q5_K, 0 to 63, from 12 bytes.
DEVICE float six_bits(const u8 *from, u32 part, u32 group) {
    u32 first = from[4 * part + group % 4];
    if (group < 4) {
        return number(first & 63, 0);
    }
    return number((from[8 + group % 4] >> 4 * part & 15) | first >> 6 << 4, 0);
}

// Puts some bits (a mask) at `shift` of each byte above `low` bits that are there.
DEVICE void add_bits(const u8 *from, const int is_aligned, u32 shift, u32 mask, u32 low, const int count, u32 *numbers) {
    for (int i = 0; i < count / 4; i++) {
        numbers[i] |= (four_bytes(from + 4 * i, is_aligned) >> shift & mask * 0x01010101) << low;
    }
}

// Unpacks 4, 8 or 16 elements from a column on, a multiple of their number.
DEVICE void unpack(const Format *format, const u8 *row, u32 column, const int count, float *to) {
    const u32 type = format->type;
    const u8 *at = row + (column >> format->block_shift) * format->block_bytes;
    if (type == F32) {
        for (int i = 0; i < count; i++) {
            to[i] = ((const float *)at)[i];
        }
        return;
    }
    if (type <= BF16) {
        for (int i = 0; i < count; i++) {
            u32 bits = two_bytes(at + 2 * i);
            to[i] = type == F16 ? HALF_FLOAT(bits) : BITS_FLOAT(bits << 16);
        }
        return;
    }
    const u32 in_block = column % (1 << format->block_shift), half = in_block / 16, group = half / 2, of_half = column % 16;
    u32 numbers[4] = {0, 0, 0, 0};
    float scale = half_at(at + (type == Q6_K ? 208 : 0)), zero = 0, minimum = 0;
    switch (type) {
        case Q8_0:
            add_bits(at + 2 + in_block, 0, 0, 255, 0, count, numbers);
            for (int i = 0; i < count / 4; i++) {
                numbers[i] ^= 0x80808080;
            }
            zero = 128;
            break;
        case Q4_0:
            add_bits(at + 2 + of_half, 0, 4 * half, 15, 0, count, numbers);
            zero = 8;
            break;
        case Q4_1:
            minimum = half_at(at + 2);
            add_bits(at + 4 + of_half, 1, 4 * half, 15, 0, count, numbers);
            break;
        case Q5_0: {
            const u8 *fifths = at + 2 + in_block / 8;
            u32 bits = (count == 16 ? two_bytes(fifths) : fifths[0]) >> (count == 4 ? in_block & 4 : 0);
            add_bits(at + 6 + of_half, 0, 4 * half, 15, 0, count, numbers);
            for (int i = 0; i < count / 4; i++) {
                numbers[i] |= (bits >> 4 * i & 15) * 0x02040810 & 0x10101010; // a bit to each byte
            }
            zero = 16;
            break;
        }
        case Q4_K:
        case Q5_K: {
            const u8 *fours = at + (type == Q4_K ? 16 : 48) + group / 2 * 32 + half % 2 * 16 + of_half;
            minimum = -half_at(at + 2) * six_bits(at + 4, 1, group);
            scale *= six_bits(at + 4, 0, group);
            add_bits(fours, 1, group % 2 * 4, 15, 0, count, numbers);
            if (type == Q5_K) {
                add_bits(at + 16 + half % 2 * 16 + of_half, 1, group, 1, 4, count, numbers);
            }
            break;
        }
        default: {
            u32 quarter = group % 4, last = 16 * (half % 2) + of_half;
            scale *= number(at[192 + half] ^ 128, 128);
            add_bits(at + half / 8 * 64 + quarter % 2 * 32 + last, 0, quarter / 2 * 4, 15, 0, count, numbers);
            add_bits(at + 128 + half / 8 * 32 + last, 0, 2 * quarter, 3, 4, count, numbers);
            zero = 32;
        }
    }
    // A byte between those of 2^15 makes a float of that much more. Its product with the scale has too many bits for a float,
    // but the sum with that of what is too much has not, so one instruction is exact, where that product has few bits.
    const float more = 32768 + zero, less = type == Q4_0 || type == Q5_0 || type == Q8_0 ? 0 : more;
    const float sum = less == 0 ? -more * scale : minimum;
    for (int i = 0; i < count; i++) {
        to[i] = fmaf(BITS_FLOAT(__byte_perm(numbers[i / 4], 0x47000000, 0x7404 | i % 4 << 4)) - less, scale, sum);
    }
}
