// The products of one long row of floats with packed matrices, whose time is that of memory. A warp of a team has 1,024
// columns of many rows, and keeps the floats of those columns in registers; so a team has a warp for each 1,024 columns. A
// block has teams, and a range of rows of one matrix. A lane has two runs of 16 columns: a block of 32, or what 16 bytes of
// a block of 256 hold. It reads the next two rows while it multiplies two.
#pragma once
#include "row_products.cuh"

#define SPAN 1024
#define VECTORS 8        // of a lane
#define MOST_WORDS 13    // of a lane in a row
#define MOST_LONG_WARPS 16

// The bytes of a block, and the words that a lane reads of a row.
template <int TYPE> struct Sizes {
    static const int BYTES = TYPE == Q8_0 ? 34 : TYPE == Q4_0 ? 18 : TYPE == Q4_1 ? 20 : TYPE == Q5_0 ? 22
            : TYPE == Q4_K ? 144 : TYPE == Q5_K ? 176 : 210;
    static const int WORDS = TYPE == Q4_K ? 8 : TYPE == Q5_K ? 12 : TYPE == Q6_K ? 13 : (BYTES + 3) / 4;
};

// The vectors of a lane in a span, four of each run.
DEVICE u32 vector_of(u32 type, u32 i) {
    const u32 lane = threadIdx.x % 32, distance = type == Q6_K ? 16 : type >= Q4_K ? 8 : 4;
    const u32 start = type < Q4_K ? 8 * lane : lane / 4 * 32 + lane / 2 % 2 * (24 - distance) + lane % 2 * 4;
    return start + i / 4 * distance + i % 4;
}

DEVICE void read_words(const u8 *from, const int count, u32 *to) {
    for (int i = 0; i < count; i++) {
        to[i] = GLOBAL(const u32, (u64)from + 4 * i);
    }
}

DEVICE void read_vector(const u8 *from, u32 *to) {
    const Words4 words = GLOBAL(const Words4, (u64)from);
    for (int i = 0; i < 4; i++) {
        to[i] = words.word[i];
    }
}

// 2 where a block begins between two words, else 0.
DEVICE u32 odd_bytes(const u8 *block) { return (u32)(u64)block & 2; }

// Reads what the lane has of a block, from a word on.
template <int TYPE> DEVICE void read_block(const u8 *at, u32 *to) {
    const u32 lane = threadIdx.x % 32, half = lane / 4 % 2;
    if (TYPE == Q4_K || TYPE == Q5_K) {
        read_vector(at, to);
        read_vector(at + (TYPE == Q4_K ? 16 : 48) + lane % 8 * 16, to + 4);
        if (TYPE == Q5_K) {
            read_vector(at + 16 + lane % 2 * 16, to + 8);
        }
    } else if (TYPE == Q6_K) {
        const u8 *word = at - odd_bytes(at);
        read_words(word + lane % 8 * 16, 5, to);
        read_words(word + 128 + half * 32 + lane % 2 * 16, 5, to + 5);
        to[10] = at[192 + half * 8 + lane % 4];
        to[11] = at[196 + half * 8 + lane % 4];
        to[12] = two_bytes(at + 208);
    } else {
        read_words(at - odd_bytes(at), Sizes<TYPE>::WORDS, to);
    }
}

// The four words that begin some bits, up to 32, behind others.
DEVICE void shift_words(const u32 *words, u32 bits, u32 *to) {
    for (int i = 0; i < 4; i++) {
        to[i] = __funnelshift_rc(words[i], words[i + 1], bits);
    }
}

// What the lane has of a block: the bytes of each run, and by what they become weights.
typedef struct {
    u32 bytes[2][4];
    float scale[2], minimum[2];
} Unpacked;

// A byte of six bits between those of 2^7: a float of that much more.
DEVICE float more_by_128(u32 bytes, int i) { return BITS_FLOAT(__byte_perm(bytes, 0x43000000, 0x7044 | i << 8)); }

// The factors and, of eight groups, the scales and minima of six bits.
DEVICE void unpack_factors(const u32 *words, Unpacked *to) {
    const u32 lane = threadIdx.x % 32, shift = lane / 2 % 2 * 16, is_first = lane / 4 % 2 == 0;
    const u32 low = words[1] >> shift, lows = words[2] >> shift, high = words[3] >> shift;
    const u32 scales = is_first ? low & 0x3f3f : (high & 0x0f0f) | (low >> 2 & 0x3030);
    const u32 minima = is_first ? lows & 0x3f3f : (high >> 4 & 0x0f0f) | (lows >> 2 & 0x3030);
    const float scale = HALF_FLOAT(words[0] & 0xffff), minimum = HALF_FLOAT(words[0] >> 16);
    for (int run = 0; run < 2; run++) {
        to->scale[run] = fmaf(more_by_128(scales, run), scale, -128 * scale);
        to->minimum[run] = fmaf(more_by_128(minima, run), -minimum, 128 * minimum);
    }
}

template <int TYPE> DEVICE Unpacked unpack_block(const u32 *words, u32 odd) {
    const u32 lane = threadIdx.x % 32;
    Unpacked all = {{{0, 0, 0, 0}, {0, 0, 0, 0}}, {0, 0}, {0, 0}};
    u32 packed[4], more[4]; // the lower bits, and others of Q6_K and Q8_0
    if (TYPE == Q4_K || TYPE == Q5_K) {
        unpack_factors(words, &all);
        shift_words(words + 3, 32, packed);
    } else if (TYPE == Q6_K) {
        all.scale[0] = HALF_FLOAT(words[12]) * number(words[10] ^ 128, 128);
        all.scale[1] = HALF_FLOAT(words[12]) * number(words[11] ^ 128, 128);
        shift_words(words, 8 * odd, packed);
        shift_words(words + 5, 8 * odd, more);
    } else {
        all.scale[0] = all.scale[1] = HALF_FLOAT(words[0] >> 8 * odd & 0xffff);
        all.minimum[0] = all.minimum[1] = TYPE == Q4_1 ? HALF_FLOAT(words[0] >> 16) : 0;
        shift_words(words + (TYPE == Q5_0 ? 1 : 0), TYPE == Q4_1 ? 32 : 16 + 8 * odd, packed);
        if (TYPE == Q8_0) {
            shift_words(words + 4, 16 + 8 * odd, more);
        }
    }
    for (int i = 0; i < 4; i++) {
        u32 *low = &all.bytes[0][i], *high = &all.bytes[1][i];
        *low = TYPE == Q8_0 ? packed[i] ^ 0x80808080 : packed[i] & 0x0f0f0f0f;
        *high = TYPE == Q8_0 ? more[i] ^ 0x80808080 : packed[i] >> 4 & 0x0f0f0f0f;
        if (TYPE == Q6_K) {
            const u32 group = lane / 2 % 2;
            *low |= more[i] << (4 - 2 * group) & 0x30303030;
            *high |= more[i] >> 2 * group & 0x30303030;
        } else if (TYPE == Q5_K) {
            const u32 fifths = words[8 + i] >> lane / 2 % 4 * 2;
            *low |= fifths << 4 & 0x10101010;
            *high |= fifths << 3 & 0x10101010;
        } else if (TYPE == Q5_0) {
            const u32 fifths = __funnelshift_rc(words[0], words[1], 16 + 8 * odd) >> 4 * i;
            *low |= (fifths & 15) * 0x02040810 & 0x10101010; // a bit to each byte
            *high |= (fifths >> 16 & 15) * 0x02040810 & 0x10101010;
        }
    }
    return all;
}

// The sum of the products of what the lane has of a block.
template <int TYPE> DEVICE float product_of(const u32 *words, u32 odd, const Floats4 *x) {
    const float zero = TYPE == Q8_0 ? 128 : TYPE == Q6_K ? 32 : TYPE == Q5_0 ? 16 : TYPE == Q4_0 ? 8 : 0;
    const float more = zero + (TYPE == Q8_0 ? 32768 : 128);
    const Unpacked all = unpack_block<TYPE>(words, odd);
    float sums[4] = {0, 0, 0, 0};
    for (int run = 0; run < 2; run++) {
        const float less = all.minimum[run] - more * all.scale[run];
        for (int i = 0; i < 16; i++) {
            const u32 bytes = all.bytes[run][i / 4];
            // a byte of eight bits is between those of 2^15
            const float whole = TYPE == Q8_0 ? BITS_FLOAT(__byte_perm(bytes, 0x47000000, 0x7404 | i % 4 << 4))
                                             : more_by_128(bytes, i % 4);
            sums[i % 4] += fmaf(whole, all.scale[run], less) * x[4 * run + i / 4].at[i % 4];
        }
    }
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

// What a warp multiplies: the first pair of rows, the bytes to the next one and the last row that the second may be; the
// columns that are left; what the lane has read of a pair; and where the sums go.
typedef struct {
    const u8 *first, *second, *last;
    u32 pairs, step, columns, stride;
    u32 words[2][MOST_WORDS];
    Floats4 x[VECTORS];
    float *sums;
} Rows;

// Where the lane's block is, of those of the columns that are left; behind them x is 0.
template <int TYPE> DEVICE u32 block_offset(u32 columns) {
    const u32 block = threadIdx.x % 32 / (TYPE < Q4_K ? 1 : 8);
    return block * (TYPE < Q4_K ? 32 : 256) < columns ? block * Sizes<TYPE>::BYTES : 0;
}

template <int TYPE> DEVICE void read_pair(const Rows *rows, u32 (*to)[MOST_WORDS]) {
    read_block<TYPE>(rows->first + block_offset<TYPE>(rows->columns), to[0]);
    read_block<TYPE>(rows->second + block_offset<TYPE>(rows->columns), to[1]);
}

// Multiplies the lane's columns of pairs of rows, of which it has read the first. Stores the sums of the warp.
template <int TYPE> DEVICE void multiply_rows(Rows *rows) {
    const u32 lane = threadIdx.x % 32, offset = block_offset<TYPE>(rows->columns);
    for (u32 i = 0; i < rows->pairs; i++) {
        const u32 odd[2] = {odd_bytes(rows->first + offset), odd_bytes(rows->second + offset)};
        u32 next[2][MOST_WORDS];
        if (i + 1 < rows->pairs) {
            rows->first += rows->step;
            rows->second = rows->second + rows->step > rows->last ? rows->last : rows->second + rows->step;
        }
        read_pair<TYPE>(rows, next);
        const float a = product_of<TYPE>(rows->words[0], odd[0], rows->x);
        const float b = product_of<TYPE>(rows->words[1], odd[1], rows->x);
        const u32 is_upper = lane & 16;
        const float other = __shfl_xor_sync(~0u, is_upper ? a : b, 16);
        const float sum = lanes_sum((is_upper ? b : a) + other, 16); // of a row each half of the lanes
        if (lane % 16 == 0) {
            rows->sums[(2 * i + lane / 16) * rows->stride] = sum;
        }
        for (int w = 0; w < Sizes<TYPE>::WORDS; w++) {
            rows->words[0][w] = next[0][w];
            rows->words[1][w] = next[1][w];
        }
    }
}

template <int TYPE> DEVICE void work_on(Rows *rows, const int is_first) {
    if (is_first) {
        read_pair<TYPE>(rows, rows->words);
    } else {
        multiply_rows<TYPE>(rows);
    }
}

// Reads the first pair, or multiplies all.
DEVICE void work_on_type(u32 type, Rows *rows, const int is_first) {
    switch (type) {
        case Q8_0:
            work_on<Q8_0>(rows, is_first);
            break;
        case Q4_0:
            work_on<Q4_0>(rows, is_first);
            break;
        case Q4_1:
            work_on<Q4_1>(rows, is_first);
            break;
        case Q5_0:
            work_on<Q5_0>(rows, is_first);
            break;
        case Q4_K:
            work_on<Q4_K>(rows, is_first);
            break;
        case Q5_K:
            work_on<Q5_K>(rows, is_first);
            break;
        default:
            work_on<Q6_K>(rows, is_first);
    }
}

// With IS_GATED a pair of rows is that of two matrices. Memory: MEMORY_OF_SUMS, the row if it is prepared, then for each
// row of the block, and one more, the sums of its warps.
template <int KIND, int IS_GATED> DEVICE void long_row_products(const RowPointers *to, const RowJob *job, Words4 *memory) {
    const u32 warp = threadIdx.x / 32, columns = job->columns, team_warps = (columns + SPAN - 1) / SPAN;
    const u32 span = warp % team_warps, teams = blockDim.x / 32 / team_warps, both = IS_GATED ? 2 : 1;
    u32 number = 0, block = blockIdx.x;
    while (!IS_GATED && number < 2 && block * job->share >= job->part[number].rows) {
        block -= (job->part[number++].rows - 1) / job->share + 1;
    }
    const RowPart *part = &job->part[number];
    const u32 from = block * job->share, left = part->rows - from;
    const u32 rows = left < job->share ? left : job->share;
    // each team has as many neighbours, an even number; the second row of the last pair may be missing
    const u32 most = (rows + 2 * teams - 1) / (2 * teams) * 2, begin = warp / team_warps * most;
    const u32 own = begin >= rows ? 0 : rows - begin < most ? rows - begin : most;
    const u32 is_normed = KIND == ANY && to->norm, is_staged = KIND == ATTENTION || is_normed;
    Floats4 *sums_of = (Floats4 *)memory, *staged = sums_of + MEMORY_OF_SUMS;
    float *sums = (float *)(staged + (is_staged ? columns / 4 : 0)), scale = 1;
    Norms norms = {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}};
    start_next();
    if (threadIdx.x < 4 * MEMORY_OF_SUMS) {
        ((float *)memory)[threadIdx.x] = 0;
    }
    if (is_normed && threadIdx.x < columns / 4) {
        norms = read_norms(to, threadIdx.x);
    }
    const u64 offset = (u64)(from + begin) * part->row_bytes + span * (u32)((u64)part->row_bytes * SPAN / columns);
    Rows all;
    all.first = OF_PART(to->weights, number) + offset;
    all.last = (IS_GATED ? to->weights[1] + offset : all.first) + (u64)(own - 1) * part->row_bytes;
    all.second = IS_GATED ? to->weights[1] + offset : all.first + (own > 1 ? part->row_bytes : 0);
    all.pairs = IS_GATED ? own : (own + 1) / 2;
    all.step = (IS_GATED ? 1 : 2) * part->row_bytes;
    all.columns = columns - span * SPAN;
    all.stride = team_warps;
    all.sums = sums + both * begin * team_warps + span;
    if (own > 0) {
        work_on_type(part->type, &all, 1); // before the kernel in front has ended
    }
    __syncthreads();
    wait_for_last();
    if (is_normed) {
        scale = stage_normed(to, job, &norms, staged, sums_of, MOST_LONG_WARPS);
    } else if (KIND == ATTENTION) {
        stage_attention(to->x, job, staged);
    }
    for (u32 i = 0; i < VECTORS; i++) {
        const u32 v = span * (SPAN / 4) + vector_of(part->type, i);
        const Floats4 zero = {{0, 0, 0, 0}};
        all.x[i] = 4 * v >= columns ? zero : is_staged ? staged[v] : vector_at(to->x, v);
    }
    if (own > 0) {
        work_on_type(part->type, &all, 0);
    }
    __syncthreads();
    for (u32 r = threadIdx.x; r < rows; r += blockDim.x) {
        float sum = 0, other = 0;
        for (u32 i = 0; i < team_warps; i++) {
            sum += sums[both * r * team_warps + i];
            other += IS_GATED ? sums[(2 * r + 1) * team_warps + i] : 0;
        }
        const Place place = {number, from + r};
        store_row(to, job, place, IS_GATED ? activated(job->activation, scale * sum) * (scale * other) : scale * sum);
    }
}
