// The products of one row of floats with packed matrices. What is multiplied is prepared by each block, which costs less
// than a launch: the sum of the residual stream and its norm, or the splits of an attention put together. A warp has a row
// of a matrix, or a team of warps has one, or two warps have those of a gated layer. A lane has 4 columns of each 128.
//
// The next kernel starts at once, and a warp reads and unpacks its first weights before it waits for the kernel in front:
// so few registers matter more than anything else, since blocks of several kernels are on a processor at the same time.
#pragma once
#include "activation.cuh"
#include "warp.cuh"
#include "weights.cuh"

#define MOST_WARPS 8
#define HELD_SPLITS 8    // of an attention, that are read together
#define MEMORY_OF_SUMS 8 // vectors: of two sums of the block, then of its teams

typedef struct {
    u32 type, row_bytes, rows, first_column;
} RowPart;

// What is multiplied: floats as they are, those or with a norm, an attention.
enum { PLAIN, ANY, ATTENTION };

typedef struct {
    u32 columns, activation, head_dim, splits;
    float epsilon;
    u32 share;      // 2^share warps share a row; then, and in a gated layer, each team has one row at most; or, of long rows,
                    // those that a block has at most
    u32 rows;       // of all matrices, or of each of those that belong together
    RowPart part[3];
} RowJob;

// The parameters of a kernel: one row, or what its norm is made of, and up to three matrices.
#define ONE_ROW                                                                                                      \
    const float *x, const float *update, const float *update_norm, const float *norm, float *sums, const u32 *cursor
#define THREE_MATRICES                                                                                               \
    const u8 *weights0, const u8 *weights1, const u8 *weights2, const float *bias0, const float *bias1,              \
        const float *bias2, float *out0, float *out1, float *out2
#define ITS_ROW x, update, update_norm, norm, sums, cursor
#define ITS_MATRICES {weights0, weights1, weights2}, {bias0, bias1, bias2}, {out0, out1, out2}

// Null pointers: there is none.
typedef struct {
    const float *x, *update, *update_norm, *norm;
    float *sums;
    const u32 *cursor; // with it the last valid row is multiplied
    const u8 *weights[3];
    const float *bias[3];
    float *out[3];
} RowPointers;

// What the warps of a block added up, up to `warps`; those that there are not have 0.
DEVICE float sum_of_warps(const Floats4 *of_warps, const int warps) {
    float sum = 0;
    for (int i = 0; i < warps / 4; i++) {
        const Floats4 four = of_warps[i];
        sum += four.at[0] + four.at[1] + (four.at[2] + four.at[3]);
    }
    return sum;
}

DEVICE Floats4 vector_at(const float *row, u32 v) { return GLOBAL(const Floats4, (u64)(row + 4 * v)); }

// The vectors of norms that a thread needs first.
typedef struct {
    Floats4 norm, update_norm;
} Norms;

DEVICE Norms read_norms(const RowPointers *to, u32 v) {
    Norms norms = {vector_at(to->norm, v), {{1, 1, 1, 1}}};
    if (to->update_norm) {
        norms.update_norm = vector_at(to->update_norm, v);
    }
    return norms;
}

// Adds an update to a vector of the residual stream, which one of the blocks stores. Returns the sum of its squares.
DEVICE float stage_sum(const RowPointers *to, u64 row, u32 v, Floats4 x, Floats4 update, const Norms *norms, float scale,
                       Floats4 *staged) {
    if (to->update) {
        for (int i = 0; i < 4; i++) {
            x.at[i] += update.at[i] * (scale * norms->update_norm.at[i]);
        }
        if (blockIdx.x == 0) {
            GLOBAL(Floats4, (u64)(to->sums + row + 4 * v)) = x;
        }
    }
    const float squares = dot(x, x);
    for (int i = 0; i < 4; i++) {
        x.at[i] *= norms->norm.at[i];
    }
    staged[v] = x;
    return squares;
}

// Stages the row times the weights of its norm. Returns, behind a barrier, what it must still be multiplied by. A thread
// reads its first vectors together, so that it waits once; the loops are for the others of long rows.
DEVICE float stage_normed(const RowPointers *to, const RowJob *job, const Norms *norms, Floats4 *staged, Floats4 *of_warps,
                          const int warps) {
    const u32 count = job->columns / 4, own = threadIdx.x, is_inside = own < count;
    const u64 row = to->cursor ? (u64)(to->cursor[1] - 1) * job->columns : 0;
    const float of_column = 1.0f / job->columns;
    Floats4 x = {{0, 0, 0, 0}}, update = x;
    float scale = 1, squares = 0;
    if (is_inside) {
        x = vector_at(to->x + row, own);
        if (to->update) {
            update = vector_at(to->update + row, own);
        }
    }
    if (to->update_norm) {
        squares = dot(update, update);
        for (u32 v = own + blockDim.x; v < count; v += blockDim.x) {
            const Floats4 other = vector_at(to->update + row, v);
            squares += dot(other, other);
        }
        ((float *)of_warps)[threadIdx.x / 32] = warp_sum(squares);
        __syncthreads();
        scale = rsqrtf(sum_of_warps(of_warps, warps) * of_column + job->epsilon);
        squares = 0;
    }
    if (is_inside) {
        squares = stage_sum(to, row, own, x, update, norms, scale, staged);
    }
    for (u32 v = own + blockDim.x; v < count; v += blockDim.x) {
        const Floats4 other = to->update ? vector_at(to->update + row, v) : x;
        const Norms others = read_norms(to, v);
        squares += stage_sum(to, row, v, vector_at(to->x + row, v), other, &others, scale, staged);
    }
    of_warps += warps / 4;
    ((float *)of_warps)[threadIdx.x / 32] = warp_sum(squares);
    __syncthreads();
    return rsqrtf(sum_of_warps(of_warps, warps) * of_column + job->epsilon);
}

// A split has the weighted values of a head, the largest score and the sum of the weights, 0 without positions.
DEVICE void stage_attention(const float *partials, const RowJob *job, Floats4 *staged) {
    const u32 size = job->head_dim + 4;
    for (u32 v = threadIdx.x; v < job->columns / 4; v += blockDim.x) {
        const u32 head = 4 * v / job->head_dim;
        const float *first = partials + (u64)head * job->splits * size;
        float most = -3e38f, total = 0;
        Floats4 sum = {{0, 0, 0, 0}};
        for (u32 from = 0; from < job->splits; from += HELD_SPLITS) {
            Floats4 values[HELD_SPLITS];
            Words2 last[HELD_SPLITS]; // the largest score, the sum of the weights
            float largest = most;
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                const float *split = first + (from + s < job->splits ? from + s : 0) * size;
                last[s] = GLOBAL(const Words2, (u64)(split + job->head_dim));
                values[s] = GLOBAL(const Floats4, (u64)(split + 4 * v - head * job->head_dim));
            }
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                largest = fmaxf(largest, BITS_FLOAT(last[s].word[0]));
            }
            const float shrink = expf(most - largest);
            most = largest;
            total *= shrink;
            for (int i = 0; i < 4; i++) {
                sum.at[i] *= shrink;
            }
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                const float weight = BITS_FLOAT(last[s].word[1]);
                const u32 is_used = from + s < job->splits && weight > 0;
                const float share = is_used ? expf(BITS_FLOAT(last[s].word[0]) - most) : 0;
                total += is_used ? share * weight : 0;
                for (int i = 0; i < 4; i++) {
                    sum.at[i] += is_used ? share * values[s].at[i] : 0;
                }
            }
        }
        const float scale = 1 / total;
        for (int i = 0; i < 4; i++) {
            sum.at[i] *= scale;
        }
        staged[v] = sum;
    }
    __syncthreads();
}

// Unpacks what a lane has of some units of 128 columns, from a unit on; 0 behind the end of the row. Where it does not end,
// units have no branches between them and are at fixed distances.
template <int UNITS, int TYPE, int SHIFT, int BYTES>
DEVICE void unpack_type(const u8 *row, u32 first, u32 columns, float *to) {
    const Format format = {TYPE, 0, SHIFT, BYTES, 0, 0};
    const u32 lane = threadIdx.x % 32, together = SHIFT == 8 ? 2 : 1, bytes = (together * 128 >> SHIFT) * BYTES;
    const u32 column = 4 * lane + (UNITS % together == 0 ? 0 : first % together * 128);
    row += (u64)(first / together) * bytes;
    if (128 * (first + UNITS) <= columns) {
        for (u32 i = 0; i < UNITS; i++) {
            unpack(&format, row + i / together * bytes, column + i % together * 128, 4, to + 4 * i);
        }
        return;
    }
#pragma unroll
    for (u32 i = 0; i < UNITS; i++) {
        if (128 * (first + i) + 4 * lane < columns) {
            unpack(&format, row + i / together * bytes, column + i % together * 128, 4, to + 4 * i);
        } else {
            to[4 * i] = to[4 * i + 1] = to[4 * i + 2] = to[4 * i + 3] = 0;
        }
    }
}

// The code of each type has its sizes as constants.
template <int UNITS> DEVICE void unpack_units(u32 type, const u8 *row, u32 first, u32 columns, float *to) {
    switch (type) {
        case F32:
            unpack_type<UNITS, F32, 0, 4>(row, first, columns, to);
            break;
        case F16:
            unpack_type<UNITS, F16, 0, 2>(row, first, columns, to);
            break;
        case BF16:
            unpack_type<UNITS, BF16, 0, 2>(row, first, columns, to);
            break;
        case Q8_0:
            unpack_type<UNITS, Q8_0, 5, 34>(row, first, columns, to);
            break;
        case Q4_0:
            unpack_type<UNITS, Q4_0, 5, 18>(row, first, columns, to);
            break;
        case Q4_1:
            unpack_type<UNITS, Q4_1, 5, 20>(row, first, columns, to);
            break;
        case Q5_0:
            unpack_type<UNITS, Q5_0, 5, 22>(row, first, columns, to);
            break;
        case Q4_K:
            unpack_type<UNITS, Q4_K, 8, 144>(row, first, columns, to);
            break;
        case Q5_K:
            unpack_type<UNITS, Q5_K, 8, 176>(row, first, columns, to);
            break;
        default:
            unpack_type<UNITS, Q6_K, 8, 210>(row, first, columns, to);
    }
}

// Which row of which matrix.
typedef struct {
    u32 part, row;
} Place;

DEVICE Place place_of(const RowJob *job, u32 row) {
    Place place = {0, row};
    while (place.part < 2 && place.row >= job->part[place.part].rows) {
        place.row -= job->part[place.part++].rows;
    }
    return place;
}

DEVICE void store_row(const RowPointers *to, const RowJob *job, Place place, float sum) {
    const float *bias = OF_PART(to->bias, place.part);
    OF_PART(to->out, place.part)[job->part[place.part].first_column + place.row] = bias ? sum + bias[place.row] : sum;
}

// UNITS: of 128 columns, that a warp unpacks together. With IS_GATED a team is two warps, with the rows of the gate and of
// the other matrix. Memory: that of sums, then the row if it is prepared.
template <int UNITS, int KIND, int IS_GATED>
DEVICE void row_products(const RowPointers *to, const RowJob *job, Words4 *memory) {
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, columns = job->columns;
    const u32 shift = IS_GATED ? 1 : job->share, member = warp & ((1 << shift) - 1);
    const u32 first_unit = IS_GATED ? 0 : member * UNITS, units = IS_GATED ? UNITS : UNITS << shift;
    const u32 is_staged = KIND == ATTENTION || (KIND == ANY && to->norm);
    Floats4 *sums_of = (Floats4 *)memory, *staged = sums_of + MEMORY_OF_SUMS;
    u32 row = (blockIdx.x * warps + warp) >> shift, unit = first_unit, is_first = 1;
    float weights[4 * UNITS], sum = 0, scale = 1;
    Norms norms = {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}};
    start_next();
    if (threadIdx.x < 4 * MEMORY_OF_SUMS) {
        ((float *)memory)[threadIdx.x] = 0;
    }
    if (KIND == ANY && to->norm && threadIdx.x < columns / 4) {
        norms = read_norms(to, threadIdx.x);
    }
    while (is_first || row < job->rows) {
        const Place now = place_of(job, row);
        if (row < job->rows) {
            const u32 number = IS_GATED ? member : now.part;
            const RowPart *part = &job->part[number];
            const u8 *from = OF_PART(to->weights, number) + (u64)now.row * part->row_bytes;
            unpack_units<UNITS>(part->type, from, unit, columns, weights);
            for (u32 i = 0; i < 4 * UNITS; i++) {
                COMPUTED(weights[i]);
            }
        }
        if (is_first) {
            __syncthreads();
            wait_for_last();
            if (KIND == ANY && to->norm) {
                scale = stage_normed(to, job, &norms, staged, sums_of, MOST_WARPS);
            } else if (KIND == ATTENTION) {
                stage_attention(to->x, job, staged);
            }
            if (row >= job->rows) {
                break;
            }
        }
        is_first = 0;
        float of_four[4] = {0, 0, 0, 0};
        for (u32 i = 0; i < UNITS; i++) {
            const u32 v = 32 * (unit + i) + lane;
            const Floats4 zero = {{0, 0, 0, 0}};
            const Floats4 x = 4 * v >= columns ? zero : is_staged ? staged[v] : vector_at(to->x, v);
            for (u32 j = 0; j < 4; j++) {
                of_four[j] += weights[4 * i + j] * x.at[j];
            }
        }
        sum += of_four[0] + of_four[1] + (of_four[2] + of_four[3]);
        unit += units;
        if (128 * unit < columns) {
            continue;
        }
        sum = scale * warp_sum(sum);
        if (shift > 0) {
            break;
        }
        if (lane == 0) {
            store_row(to, job, now, sum);
        }
        sum = 0;
        unit = first_unit;
        row += gridDim.x * warps;
    }
    if (shift > 0) {
        float *of_team = (float *)(sums_of + MEMORY_OF_SUMS / 2);
        __syncthreads();
        of_team[warp] = sum;
        __syncthreads();
        if (member == 0 && lane == 0 && row < job->rows) {
            for (u32 i = 1; i < (1u << shift); i++) {
                sum = IS_GATED ? activated(job->activation, sum) * of_team[warp + i] : sum + of_team[warp + i];
            }
            store_row(to, job, place_of(job, row), sum);
        }
    }
}
