// How 16 consecutive elements of a row of weights become floats: first their words are fetched, and after other work
// they are unpacked. So a thread waits for memory once, not before each number. The types are numbered as in Matrix.TYPES.
#pragma once

enum { F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q4_K, Q5_K, Q6_K };

#define MOST_WORDS 16

// Where a half block of 16 elements is: its own block, and its number among the halves of the block.
typedef struct {
    const u8 *block;
    u32 half;
} Half;

DEVICE Half half_of(u32 type, const u8 *row, u32 column) {
    Half half;
    u32 elements = type >= Q4_K ? 256 : 32;
    u32 bytes = type == Q8_0 ? 34 : type == Q4_0 ? 18 : type == Q4_1 ? 20 : type == Q5_0 ? 22
              : type == Q4_K ? 144 : type == Q5_K ? 176 : 210;
    half.half = column % elements / 16;
    half.block = row + (u64)(column / elements) * bytes;
    return half;
}

// Loads the aligned words that have some bytes, which begin at an even address: at most one word more than they fill.
DEVICE void fetch_words(const u8 *from, int bytes, u32 *to) {
    const u8 *first = from - ((u64)from & 2);
#pragma unroll
    for (int i = 0; i < (bytes + 5) / 4; i++) {
        to[i] = first + 4 * i < from + bytes ? GLOBAL(const u32, (u64)first + 4 * i) : 0;
    }
}

// A word of what fetch_words loaded.
DEVICE u32 word_of(const u8 *from, const u32 *words, int index) {
    return (u64)from & 2 ? words[index] >> 16 | words[index + 1] << 16 : words[index];
}

DEVICE const u8 *eighths(Half half) { return half.block + 2 + 16 * half.half; }

DEVICE const u8 *low_sixths(Half half) {
    return half.block + 64 * (half.half / 8) + 32 * (half.half / 2 % 2) + 16 * (half.half % 2);
}

DEVICE const u8 *high_sixths(Half half) { return half.block + 128 + 32 * (half.half / 8) + 16 * (half.half % 2); }

// Fetches the 16 elements of a row from a column on, a multiple of 16; those from `columns` on are zero.
DEVICE void fetch(u32 type, const u8 *row, u32 column, u32 columns, u32 *words) {
#pragma unroll
    for (int i = 0; i < MOST_WORDS; i++) {
        words[i] = 0;
    }
    if (column >= columns) {
        return;
    }
    if (type <= BF16) {
        u32 bytes = type == F32 ? 4 : 2;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            // columns are a multiple of 8: of a half of 16 elements, all or the first 8 are there
            u32 last = (i + 1) * 16 / bytes;
            if (i < (int)bytes && column + last <= columns) {
                Words4 four = GLOBAL(const Words4, (u64)row + column * bytes + 16 * i);
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    words[4 * i + j] = four.word[j];
                }
            }
        }
        return;
    }
    Half half = half_of(type, row, column);
    switch (type) {
        case Q8_0:
            fetch_words(half.block, 2, words);
            fetch_words(eighths(half), 16, words + 1);
            break;
        case Q4_0: fetch_words(half.block, 18, words); break;
        case Q4_1: fetch_words(half.block, 20, words); break;
        case Q5_0: fetch_words(half.block, 22, words); break;
        case Q4_K:
            fetch_words(half.block, 16, words);
            fetch_words(half.block + 16 + half.half / 4 * 32 + half.half % 2 * 16, 16, words + 5);
            break;
        case Q5_K:
            fetch_words(half.block, 16, words);
            fetch_words(half.block + 16 + half.half % 2 * 16, 16, words + 5);
            fetch_words(half.block + 48 + half.half / 4 * 32 + half.half % 2 * 16, 16, words + 10);
            break;
        default:
            fetch_words(low_sixths(half), 16, words);
            fetch_words(high_sixths(half), 16, words + 5);
            words[10] = GLOBAL(const u8, (u64)half.block + 192 + half.half);
            words[11] = GLOBAL(const u16, (u64)half.block + 208);
    }
}

// A whole number below 2^23, as a float less another one: without a conversion, which is slow.
DEVICE float number(u32 whole, float less) { return BITS_FLOAT(0x4b000000 | whole) - (8388608 + less); }

// The scale (part 0) or minimum (part 1) of a group of 32 elements of Q4_K and Q5_K, 0 to 63, from 12 bytes.
DEVICE u32 six_bits(const u32 *words, u32 part, u32 group) {
    u32 shift = 8 * (group % 4);
    if (group < 4) {
        return words[part] >> shift & 63;
    }
    return (words[2] >> (shift + 4 * part) & 15) | (words[part] >> (shift + 6) & 3) << 4;
}

// Numbers of `bits` bits at `shift` of each of 16 bytes, put above `low` bits that are there. `later` is 1 if the bytes
// begin 2 bytes after `from`, from where on words were loaded.
DEVICE void add_bits(const u8 *from, const u32 *words, int later, u32 shift, u32 bits, u32 low, u32 *numbers) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        u32 whole = later ? words[i + 1] : words[i], two = words[i] >> 16 | words[i + 1] << 16;
        u32 word = ((u64)from & 2 ? !later : later) ? two >> shift : whole >> shift;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            numbers[4 * i + j] |= (word >> (8 * j) & ((1 << bits) - 1)) << low;
        }
    }
}

// Unpacks what fetch loaded, with the same arguments.
DEVICE void unpack(u32 type, const u8 *row, u32 column, const u32 *words, float *to) {
    if (type <= BF16) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            u32 bits = words[i / 2] >> (16 * (i % 2));
            to[i] = type == F32 ? BITS_FLOAT(words[i]) : type == F16 ? HALF_FLOAT(bits) : BITS_FLOAT(bits << 16);
        }
        return;
    }
    Half half = half_of(type, row, column);
    const u8 *block = half.block;
    u32 numbers[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        numbers[i] = 0;
    }
    float scale, zero = 0, minimum = 0;
    u32 first = word_of(block, words, 0), group = half.half / 2;
    switch (type) {
        case Q8_0:
            scale = HALF_FLOAT(words[0] >> 8 * ((u64)block & 2));
            add_bits(eighths(half), words + 1, 0, 0, 8, 0, numbers);
#pragma unroll
            for (int i = 0; i < 16; i++) {
                numbers[i] ^= 128;
            }
            zero = 128;
            break;
        case Q4_0:
            scale = HALF_FLOAT(first);
            add_bits(block, words, 1, 4 * half.half, 4, 0, numbers);
            zero = 8;
            break;
        case Q4_1:
            scale = HALF_FLOAT(first);
            minimum = HALF_FLOAT(first >> 16);
            add_bits(block, words + 1, 0, 4 * half.half, 4, 0, numbers);
            break;
        case Q5_0: {
            scale = HALF_FLOAT(first);
            u32 fifths = (first >> 16 | word_of(block, words, 1) << 16) >> (16 * half.half);
            add_bits(block, words + 1, 1, 4 * half.half, 4, 0, numbers);
#pragma unroll
            for (int i = 0; i < 16; i++) {
                numbers[i] |= (fifths >> i & 1) << 4;
            }
            zero = 16;
            break;
        }
        case Q4_K:
        case Q5_K:
            scale = HALF_FLOAT(first) * number(six_bits(words + 1, 0, group), 0);
            minimum = -HALF_FLOAT(first >> 16) * number(six_bits(words + 1, 1, group), 0);
            if (type == Q4_K) {
                add_bits(block, words + 5, 0, 4 * (group % 2), 4, 0, numbers);
            } else {
                add_bits(block, words + 10, 0, 4 * (group % 2), 4, 0, numbers);
                add_bits(block, words + 5, 0, group, 1, 4, numbers);
            }
            break;
        default: {
            u32 quarter = half.half / 2 % 4;
            scale = HALF_FLOAT(words[11]) * number(words[10] ^ 128, 128);
            add_bits(block, words, 0, quarter / 2 * 4, 4, 0, numbers);
            add_bits(block, words + 5, 0, 2 * quarter, 2, 4, numbers);
            zero = 32;
        }
    }
#pragma unroll
    for (int i = 0; i < 16; i++) {
        to[i] = scale * number(numbers[i], zero) + minimum;
    }
}
