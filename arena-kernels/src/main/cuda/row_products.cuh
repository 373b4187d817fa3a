// The products of one row of floats with packed matrices. What is multiplied is prepared by each block, which costs less
// than a launch: the sum of the residual stream and its norm, or the splits of an attention put together. Then warps take
// turns with pieces of the matrices. A piece is fetched while the one in front of it is multiplied. That of a warp's first
// turn is fetched and unpacked before the row is prepared, and fetched before the kernel in front has ended.
//
// Short steps take the time in which their instructions arrive and wait for each other, so what most rows do is in a line.
#pragma once
#include "activation.cuh"
#include "rows.cuh"

#define WARPS 8
#define STEPS 5           // of 128 columns, which are unpacked together: rows of up to 640 stay in registers
#define HELD_SPLITS 4     // of an attention, that are read together
#define MEMORY_OF_SUMS 8  // vectors: of two sums of the block, then of a team

typedef struct {
    Rows rows;
    u32 first_column;
    u32 end_turn; // the first turn after those of this matrix
} RowPart;

enum { PLAIN, NORMED, ATTENTION };

typedef struct {
    u32 columns, activation, head_dim, splits;
    float epsilon;
    u32 team_shift; // 2^team_shift warps share a row of several pieces; with more than one, each team has one turn at most
    u32 vectors;    // of 16 bytes, for a piece
    u32 turns;
    RowPart part[3];
} RowJob;

// Null pointers: there is none.
typedef struct {
    const float *x, *update, *update_norm, *norm;
    float *sums;
    const u32 *cursor; // with it the last valid row is multiplied
    const u8 *weights[3];
    const float *bias[3];
    float *out[3];
} RowPointers;

DEVICE float block_sum(float value, Floats4 *of_warps) {
    ((float *)of_warps)[threadIdx.x / 32] = warp_sum(value);
    __syncthreads();
    const Floats4 a = of_warps[0], b = of_warps[1];
    return (a.at[0] + a.at[1] + (a.at[2] + a.at[3])) + (b.at[0] + b.at[1] + (b.at[2] + b.at[3]));
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
DEVICE float stage_sum(const RowPointers *to, u64 row, u32 v, Floats4 x, Floats4 update, Floats4 norm, float scale,
                       Floats4 *staged) {
    if (to->update) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x.at[i] += update.at[i] * (scale * norm.at[i]);
        }
        if (blockIdx.x == 0) {
            GLOBAL(Floats4, (u64)(to->sums + row + 4 * v)) = x;
        }
    }
    staged[v] = x;
    return dot(x, x);
}

DEVICE void stage_scaled(Floats4 *staged, u32 v, Floats4 norm, float scale) {
    Floats4 x = staged[v];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        x.at[i] *= scale * norm.at[i];
    }
    staged[v] = x;
}

// A thread reads its first vectors together, so that it waits once; the loops are for the others of long rows.
DEVICE void stage_normed(const RowPointers *to, const RowJob *job, Norms norms, float of_column, Floats4 *staged,
                         Floats4 *of_warps) {
    const u32 count = job->columns / 4, own = threadIdx.x, is_inside = own < count;
    const u64 row = to->cursor ? (u64)(to->cursor[1] - 1) * job->columns : 0;
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
        for (u32 v = own + 32 * WARPS; v < count; v += 32 * WARPS) {
            Floats4 other = vector_at(to->update + row, v);
            squares += dot(other, other);
        }
        scale = rsqrtf(block_sum(squares, of_warps) * of_column + job->epsilon);
        squares = 0;
    }
    if (is_inside) {
        squares = stage_sum(to, row, own, x, update, norms.update_norm, scale, staged);
    }
    for (u32 v = own + 32 * WARPS; v < count; v += 32 * WARPS) {
        Floats4 other = to->update ? vector_at(to->update + row, v) : x;
        squares += stage_sum(to, row, v, vector_at(to->x + row, v), other, read_norms(to, v).update_norm, scale, staged);
    }
    scale = rsqrtf(block_sum(squares, of_warps + 2) * of_column + job->epsilon);
    if (is_inside) {
        stage_scaled(staged, own, norms.norm, scale);
    }
    for (u32 v = own + 32 * WARPS; v < count; v += 32 * WARPS) {
        stage_scaled(staged, v, vector_at(to->norm, v), scale);
    }
}

// A split has the weighted values of a head, the largest score and the sum of the weights, 0 without positions.
DEVICE void stage_attention(const float *partials, const RowJob *job, Floats4 *staged) {
    const u32 size = job->head_dim + 4;
    for (u32 v = threadIdx.x; v < job->columns / 4; v += 32 * WARPS) {
        const u32 head = 4 * v / job->head_dim;
        const float *first = partials + (u64)head * job->splits * size;
        float most = -3e38f, total = 0;
        Floats4 sum = {{0, 0, 0, 0}};
        for (u32 from = 0; from < job->splits; from += HELD_SPLITS) {
            Floats4 values[HELD_SPLITS];
            Words2 last[HELD_SPLITS]; // the largest score, the sum of the weights
            float largest = most;
#pragma unroll
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                const float *split = first + (from + s < job->splits ? from + s : 0) * size;
                last[s] = GLOBAL(const Words2, (u64)(split + job->head_dim));
                values[s] = GLOBAL(const Floats4, (u64)(split + 4 * v - head * job->head_dim));
            }
#pragma unroll
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                largest = fmaxf(largest, BITS_FLOAT(last[s].word[0]));
            }
            const float shrink = expf(most - largest);
            most = largest;
            total *= shrink;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                sum.at[i] *= shrink;
            }
#pragma unroll
            for (u32 s = 0; s < HELD_SPLITS; s++) {
                const float weight = BITS_FLOAT(last[s].word[1]);
                const u32 is_used = from + s < job->splits && weight > 0;
                const float share = is_used ? expf(BITS_FLOAT(last[s].word[0]) - most) : 0;
                total += is_used ? share * weight : 0;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    sum.at[i] += is_used ? share * values[s].at[i] : 0;
                }
            }
        }
        const float scale = 1 / total;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            sum.at[i] *= scale;
        }
        staged[v] = sum;
    }
}

// Which rows a warp multiplies in a turn, and which piece of them.
typedef struct {
    u32 turn, part, row, number;
} Turn;

DEVICE Turn turn_at(const RowJob *job, u32 turn, u32 number) {
    Turn now = {turn, 0, 0, number};
    u32 begin = 0;
    while (now.part < 2 && turn >= job->part[now.part].end_turn) {
        begin = job->part[now.part++].end_turn;
    }
    now.row = (turn - begin) * job->part[now.part].rows.piece_rows;
    return now;
}

// Where the rows of a turn are; of a gated layer those of the gate, or of the other matrix.
DEVICE Piece piece_of(const RowPointers *to, const RowJob *job, Turn turn, u32 other) {
    u32 part = turn.part + other;
    return piece_at(OF_PART(to->weights, part), &job->part[part].rows, turn.row, turn.number);
}

// Unpacks what a lane has of STEPS steps from a column of a panel on. The steps do the same in other blocks, so that one
// need not wait for another; behind the end of a row they read what is not used.
template <int UNIT, int TYPE, int SHIFT, int BYTES>
DEVICE void unpack_type(const u32 *words, u32 start, u32 column, float *to) {
    const Format format = {TYPE, 0, SHIFT, BYTES, 0, 0};
    const u32 period = SHIFT == 8 ? 2 : 1, bytes = SHIFT == 8 ? BYTES : (128 >> SHIFT) * BYTES;
#pragma unroll
    for (u32 i = 0; i < STEPS; i++) {
        const u32 number = i / period;
        unpack(&format, words + number * (bytes / 4), start + number * (bytes % 4), column + 128 * (i % period), UNIT,
               to + UNIT * i);
    }
}

// The code of each type has its sizes as constants.
template <int UNIT> DEVICE void unpack_steps(u32 type, const u32 *words, u32 start, u32 column, float *to) {
    switch (type) {
        case F32:
            unpack_type<UNIT, F32, 0, 4>(words, start, column, to);
            break;
        case F16:
            unpack_type<UNIT, F16, 0, 2>(words, start, column, to);
            break;
        case BF16:
            unpack_type<UNIT, BF16, 0, 2>(words, start, column, to);
            break;
        case Q8_0:
            unpack_type<UNIT, Q8_0, 5, 34>(words, start, column, to);
            break;
        case Q4_0:
            unpack_type<UNIT, Q4_0, 5, 18>(words, start, column, to);
            break;
        case Q4_1:
            unpack_type<UNIT, Q4_1, 5, 20>(words, start, column, to);
            break;
        case Q5_0:
            unpack_type<UNIT, Q5_0, 5, 22>(words, start, column, to);
            break;
        case Q4_K:
            unpack_type<UNIT, Q4_K, 8, 144>(words, start, column, to);
            break;
        case Q5_K:
            unpack_type<UNIT, Q5_K, 8, 176>(words, start, column, to);
            break;
        default:
            unpack_type<UNIT, Q6_K, 8, 210>(words, start, column, to);
    }
}

// COUNT: of the matrices whose products belong together, 2 in a gated layer. UNIT: 4, 8 or 16 columns, which a lane unpacks
// in a step; so a warp multiplies UNIT / 4 rows at a time. Memory: that of sums, then of each warp COUNT pieces, then the
// row if it is prepared, and 4 bytes for each column of STEPS steps that are read behind the end.
template <int UNIT, int LOADS, int COUNT>
DEVICE void row_products(const RowPointers *to, const RowJob *job, Words4 *memory, const int kind) {
    const u32 rows = UNIT / 4, lanes = 32 / rows, lane = threadIdx.x % lanes, warp = threadIdx.x / 32, turns = job->turns;
    const u32 shift = job->team_shift, member = warp & ((1 << shift) - 1), teams = gridDim.x * WARPS >> shift;
    const float of_column = 1.0f / job->columns;
    Words4 *buffers = memory + MEMORY_OF_SUMS + warp * COUNT * job->vectors;
    Floats4 *staged = (Floats4 *)(memory + MEMORY_OF_SUMS + WARPS * COUNT * job->vectors), *sums_of = (Floats4 *)memory;
    Words4 held[COUNT][LOADS];
    Turn next = turn_at(job, (blockIdx.x * WARPS + warp) >> shift, member), now = next;
    Norms norms = {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}};
    if (next.turn < turns) {
#pragma unroll
        for (u32 g = 0; g < COUNT; g++) {
            fetch<LOADS>(piece_of(to, job, next, g), held[g]);
        }
    }
    if (kind == NORMED && threadIdx.x < job->columns / 4) {
        norms = read_norms(to, threadIdx.x);
    }
    wait_for_last();
    start_next();

    float weights[COUNT][STEPS * UNIT], sums[COUNT];
    Floats4 x[STEPS][UNIT / 4];
    u32 start[COUNT], left = 0, before = 0, column = 0, end = 0, row = 0, is_first = 1;
#pragma unroll
    for (u32 g = 0; g < COUNT; g++) {
        sums[g] = 0;
        start[g] = 0;
    }
    while (1) {
        if (left == 0 && next.turn < turns) {
            now = next;
            const Rows *of = &job->part[now.part].rows;
            left = of->piece_rows;
            row = now.row + threadIdx.x % 32 / lanes;
            before = now.number << of->format.panel_shift;
            end = now.number + 1 < of->pieces ? before + (1 << of->format.panel_shift) : job->columns;
            column = before + UNIT * lane;
            next.number += 1 << shift;
            if (next.number >= of->pieces) {
                next = turn_at(job, now.turn + teams, member);
            }
#pragma unroll
            for (u32 g = 0; g < COUNT; g++) {
                const Piece piece = piece_of(to, job, now, g);
                start[g] = piece.start + threadIdx.x % 32 / lanes * job->part[now.part + g].rows.format.row_bytes;
                keep<LOADS>(piece, held[g], buffers + g * job->vectors);
                if (next.turn < turns) {
                    fetch<LOADS>(piece_of(to, job, next, g), held[g]);
                }
            }
        }
        if (left > 0) {
#pragma unroll
            for (u32 g = 0; g < COUNT; g++) {
                unpack_steps<UNIT>(job->part[now.part + g].rows.format.type, (const u32 *)(buffers + g * job->vectors), start[g],
                                   column - before, weights[g]);
            }
        }
        if (is_first && kind == NORMED) {
            stage_normed(to, job, norms, of_column, staged, sums_of);
            __syncthreads();
        } else if (is_first && kind == ATTENTION) {
            stage_attention(to->x, job, staged);
            __syncthreads();
        }
        if (left == 0) {
            break;
        }
        if (is_first || job->columns > 128 * STEPS) {
#pragma unroll
            for (u32 i = 0; i < STEPS * rows; i++) {
                const u32 c = column + i / rows * 128, v = c / 4 + i % rows;
                if (c < end) {
                    x[i / rows][i % rows] = kind == PLAIN ? vector_at(to->x, v) : staged[v];
                }
            }
        }
        is_first = 0;
#pragma unroll
        for (u32 i = 0; i < STEPS * UNIT; i++) {
            if (column + i / UNIT * 128 < end) {
#pragma unroll
                for (u32 g = 0; g < COUNT; g++) {
                    sums[g] += weights[g][i] * x[i / UNIT][i % UNIT / 4].at[i % 4];
                }
            }
        }
        column += 128 * STEPS;
        if (column - UNIT * lane < end) {
            continue;
        }
        column = before + UNIT * lane;
        left -= rows;
#pragma unroll
        for (u32 g = 0; g < COUNT; g++) {
            start[g] += rows * job->part[now.part + g].rows.format.row_bytes;
        }
        if (now.number + 1 == job->part[now.part].rows.pieces && shift == 0) {
            float sum = lanes_sum(sums[0], lanes);
            if (COUNT == 2) {
                sum = activated(job->activation, sum) * lanes_sum(sums[COUNT - 1], lanes);
            }
            if (lane == 0 && row < job->part[now.part].rows.rows) {
                const float *bias = OF_PART(to->bias, now.part);
                OF_PART(to->out, now.part)[job->part[now.part].first_column + row] = bias ? sum + bias[row] : sum;
            }
#pragma unroll
            for (u32 g = 0; g < COUNT; g++) {
                sums[g] = 0;
            }
        }
        row += rows;
    }
    if (shift > 0) {
        float *of_team = (float *)(memory + MEMORY_OF_SUMS / 2);
        of_team[warp] = warp_sum(sums[0]);
        __syncthreads();
        if (member == 0 && threadIdx.x % 32 == 0 && now.turn < turns) {
            float sum = 0;
            for (u32 i = 0; i < (1u << shift); i++) {
                sum += of_team[warp + i];
            }
            to->out[0][job->part[0].first_column + now.row] = to->bias[0] ? sum + to->bias[0][now.row] : sum;
        }
    }
}
