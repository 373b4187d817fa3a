// The products of one row of floats with packed matrices. What is multiplied is prepared by each block, which costs less
// than a launch: the sum of the residual stream and its norm, or the splits of an attention put together. Then warps take
// turns with pieces of the matrices. A piece is fetched while the one in front of it is multiplied, the first one while
// the row is prepared.
//
// 128 threads. Dynamic shared memory: 4 bytes a column, and 12 a split of each head; none for a plain row.
#pragma once
#include "activation.cuh"
#include "rows.cuh"

#define WARPS 4
#define VECTORS 4 // of 4 floats, which a thread reads at a time

typedef struct {
    Rows rows;
    u32 first_column, has_bias;
    u32 end_turn; // the first turn after those of this matrix
} RowPart;

enum { PLAIN, NORMED, ATTENTION };

typedef struct {
    u32 kind, columns, has_cursor, has_update, has_update_norm, activation, head_dim, splits;
    float epsilon;
    RowPart part[3];
} RowJob;

typedef struct {
    const float *x, *update, *update_norm, *norm;
    float *sums;
    const u32 *cursor; // with it the last valid row is multiplied
    const u8 *weights[3];
    const float *bias[3];
    float *out[3];
} RowPointers;

DEVICE float block_sum(float value, float *of_warps) {
    of_warps[threadIdx.x / 32] = warp_sum(value);
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < WARPS; i++) {
        sum += of_warps[i];
    }
    __syncthreads();
    return sum;
}

DEVICE float inverse_root(float squares, const RowJob *job) { return 1 / sqrtf(squares / job->columns + job->epsilon); }

// Vectors of a row from one on, zeros behind its end. They are all read before one is used: a thread waits once.
DEVICE void read_vectors(const float *row, u32 from, u32 count, Floats4 *to) {
    const Floats4 zero = {{0, 0, 0, 0}};
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        u32 v = from + threadIdx.x + 32 * WARPS * i;
        to[i] = v < count ? GLOBAL(const Floats4, (u64)(row + 4 * v)) : zero;
    }
}

DEVICE void stage_normed(const RowPointers *to, const RowJob *job, float *staged, float *of_warps) {
    const u64 row = job->has_cursor ? (u64)(to->cursor[1] - 1) * job->columns : 0;
    const u32 count = job->columns / 4, step = 32 * WARPS * VECTORS;
    float squares = 0, scale = 1;
    Floats4 sums[VECTORS], updates[VECTORS], norms[VECTORS];
    for (u32 from = 0; job->has_update_norm && from < count; from += step) {
        read_vectors(to->update + row, from, count, updates);
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            squares += dot(updates[i], updates[i]);
        }
    }
    if (job->has_update_norm) {
        scale = inverse_root(block_sum(squares, of_warps), job);
        squares = 0;
    }
    for (u32 from = 0; from < count; from += step) {
        read_vectors(to->x + row, from, count, sums);
        if (job->has_update) {
            read_vectors(to->update + row, from, count, updates);
        }
        if (job->has_update_norm) {
            read_vectors(to->update_norm, from, count, norms);
        }
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            const u32 v = from + threadIdx.x + 32 * WARPS * i;
#pragma unroll
            for (int j = 0; job->has_update && j < 4; j++) {
                sums[i].at[j] += updates[i].at[j] * (job->has_update_norm ? scale * norms[i].at[j] : 1);
            }
            squares += dot(sums[i], sums[i]);
            if (v < count) {
                GLOBAL(Floats4, (u64)(staged + 4 * v)) = sums[i];
                if (job->has_update && blockIdx.x == 0) {
                    GLOBAL(Floats4, (u64)(to->sums + row + 4 * v)) = sums[i];
                }
            }
        }
    }
    scale = inverse_root(block_sum(squares, of_warps), job);
    for (u32 from = 0; from < count; from += step) {
        read_vectors(to->norm, from, count, norms);
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            const u32 v = from + threadIdx.x + 32 * WARPS * i;
#pragma unroll
            for (int j = 0; v < count && j < 4; j++) {
                staged[4 * v + j] *= scale * norms[i].at[j];
            }
        }
    }
}

// A split has the weighted values of a head, the largest score and the sum of the weights, 0 without positions.
DEVICE void stage_attention(const float *partials, const RowJob *job, float *staged) {
    const u32 splits = job->splits, all = job->columns / job->head_dim * splits, size = job->head_dim + 4;
    float *most = staged + job->columns, *weights = most + all, *shares = weights + all;
    for (u32 i = threadIdx.x; i < all; i += 32 * WARPS) {
        most[i] = partials[(u64)i * size + job->head_dim];
        weights[i] = partials[(u64)i * size + job->head_dim + 1];
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < all; i += 32 * WARPS) {
        float largest = -3e38f, total = 0;
        for (u32 j = i / splits * splits; j < (i / splits + 1) * splits; j++) {
            largest = fmaxf(largest, most[j]);
        }
        for (u32 j = i / splits * splits; j < (i / splits + 1) * splits; j++) {
            total += weights[j] > 0 ? weights[j] * expf(most[j] - largest) : 0;
        }
        shares[i] = weights[i] > 0 ? expf(most[i] - largest) / total : 0;
    }
    __syncthreads();
    for (u32 c = threadIdx.x; c < job->columns; c += 32 * WARPS) {
        const u32 first = c / job->head_dim * splits;
        const float *values = partials + (u64)first * size + c % job->head_dim;
        float sum = 0;
#pragma unroll 8
        for (u32 s = 0; s < splits; s++) {
            sum += shares[first + s] * values[s * size];
        }
        staged[c] = sum;
    }
}

DEVICE const float *stage(const RowPointers *to, const RowJob *job, float *staged, float *of_warps) {
    if (job->kind == PLAIN) {
        return to->x;
    }
    if (job->kind == NORMED) {
        stage_normed(to, job, staged, of_warps);
    } else {
        stage_attention(to->x, job, staged);
    }
    __syncthreads();
    return staged;
}

// The sum of the units of a lane, of a row of the piece in the buffer.
DEVICE float multiply(const Rows *rows, const u32 *words, u32 start, u32 number, const float *x, u32 columns) {
    const u32 lanes = 32 / rows->piece_rows, lane = threadIdx.x % 32, before = number << rows->format.panel_shift;
    const u32 end = number + 1 < rows->pieces ? before + (1 << rows->format.panel_shift) : columns;
    start += lane / lanes * rows->format.row_bytes;
    float sum = 0;
    for (u32 c = before + 16 * (lane % lanes); c < end; c += 16 * lanes) {
        float weights[16];
        unpack_unit(&rows->format, words, start, c - before, weights);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (c + 4 * i < columns) { // a multiple of 8
                Floats4 four = GLOBAL(const Floats4, (u64)(x + c + 4 * i));
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    sum += weights[4 * i + j] * four.at[j];
                }
            }
        }
    }
    return sum;
}

// Which row a warp multiplies in a turn, and a piece of it.
typedef struct {
    u32 turn, part, row, number;
} Turn;

DEVICE Turn turn_at(const RowJob *job, u32 turn) {
    Turn now = {turn, 0, 0, 0};
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

DEVICE void finish(const RowPointers *to, const RowJob *job, Turn turn, float sum, float other, const int gated) {
    const RowPart *part = &job->part[turn.part];
    const u32 lanes = 32 / part->rows.piece_rows, lane = threadIdx.x % 32, row = turn.row + lane / lanes;
    sum = lanes_sum(sum, lanes);
    if (gated) {
        sum = activated(job->activation, sum) * lanes_sum(other, lanes);
    }
    if (lane % lanes == 0 && row < part->rows.rows) {
        OF_PART(to->out, turn.part)[part->first_column + row] = part->has_bias ? sum + OF_PART(to->bias, turn.part)[row] : sum;
    }
}

// `buffers`: of each warp one, or two of a gated layer.
DEVICE void row_products(const RowPointers *to, const RowJob *job, Words4 *buffers, float *staged, float *of_warps,
                         const int gated) {
    const u32 turns = job->part[gated ? 0 : 2].end_turn, warps = gridDim.x * WARPS;
    Words4 *buffer = buffers + threadIdx.x / 32 * (gated + 1) * (BUFFER_WORDS / 4), *more = buffer + BUFFER_WORDS / 4;
    Words4 held[LOADS], held_more[LOADS];
    Turn turn = turn_at(job, blockIdx.x * WARPS + threadIdx.x / 32);
    if (turn.turn < turns) {
        fetch(piece_of(to, job, turn, 0), held);
        if (gated) {
            fetch(piece_of(to, job, turn, 1), held_more);
        }
    }
    const float *x = stage(to, job, staged, of_warps);
    float sum = 0, other = 0;
    while (turn.turn < turns) {
        const Turn now = turn;
        const Rows *rows = &job->part[now.part].rows;
        const Piece piece = piece_of(to, job, now, 0);
        const Piece second = gated ? piece_of(to, job, now, 1) : piece;
        keep(piece, held, buffer);
        if (gated) {
            keep(second, held_more, more);
        }
        if (now.number + 1 < rows->pieces) {
            turn.number++;
        } else {
            turn = turn_at(job, now.turn + warps);
        }
        if (turn.turn < turns) {
            fetch(piece_of(to, job, turn, 0), held);
            if (gated) {
                fetch(piece_of(to, job, turn, 1), held_more);
            }
        }
        sum += multiply(rows, (const u32 *)buffer, piece.start, now.number, x, job->columns);
        if (gated) {
            other += multiply(&job->part[1].rows, (const u32 *)more, second.start, now.number, x, job->columns);
        }
        if (now.number + 1 == rows->pieces) {
            finish(to, job, now, sum, other, gated);
            sum = 0;
            other = 0;
        }
    }
}
