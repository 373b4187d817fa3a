// Products of many rows of floats, those of tokens, with packed matrices, in tiles: see product_tile.
#pragma once
#include "activation.cuh"
#include "fragments.cuh"
#include "weights.cuh"

#define ROWS 64  // of a matrix in a tile
#define DEPTH 32 // columns between two barriers
#define TEAM 128 // threads that share them

typedef struct {
    Format format;
    u32 rows, out_columns, first_column, has_bias;
    u32 end_group; // of blocks along x: the first one after those of this matrix
} Part;

typedef struct {
    u32 tokens, columns, has_cursor, has_norm, activation, exact;
    float epsilon;
    Part part[3];
} ProductJob;

typedef struct {
    const u8 *weights[3];
    float *out[3];
    const float *bias[3];
} Parts;

// Writes a product, or with an activation that of a gate times that of the other matrix.
DEVICE void store_product(const Parts *parts, const ProductJob *job, u32 number, u32 token, u32 row, float scale,
                          float sum, float other, const int gated) {
    const Part *part = &job->part[number];
    if (row >= part->rows) {
        return;
    }
    float *out = OF_PART(parts->out, number);
    float product = scale * sum;
    if (part->has_bias) {
        product += OF_PART(parts->bias, number)[row];
    }
    if (gated) {
        product = activated(job->activation, product) * scale * other;
    }
    out[(u64)token * part->out_columns + part->first_column + row] = product;
}

// Multiplies 16 * fours tokens by 32 rows: those of a warp, in the columns that the tiles have. Of the tile's rows a
// warp has 16 of each half: a gate and the other matrix, if there are two.
DEVICE void multiply_tiles(const Floats4 *left, const Floats4 *right, float sums[2][4][4], const int fours,
                           const int exact) {
    u32 lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, warp = threadIdx.x % TEAM / 32;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        Split a[2][2][4];
        for (int m = 0; m < fours; m++) {
            u32 token = (warp % 2 * fours + m) * 16 + g;
            Floats4 top = left[piece(token, 4 * half + t)], bottom = left[piece(token + 8, 4 * half + t)];
            for (int i = 0; i < 4; i++) {
                a[m][i / 2][i % 2 * 2] = split(top.at[i], exact);
                a[m][i / 2][i % 2 * 2 + 1] = split(bottom.at[i], exact);
            }
        }
#pragma unroll
        for (int n = 0; n < 4; n++) {
            Floats4 row = right[piece(n / 2 * 32 + warp / 2 * 16 + n % 2 * 8 + g, 4 * half + t)];
            Split b[4];
            for (int i = 0; i < 4; i++) {
                b[i] = split(row.at[i], exact);
            }
            for (int m = 0; m < fours; m++) {
                multiply(sums[m][n], a[m][0], b, exact);
                multiply(sums[m][n], a[m][1], b + 2, exact);
            }
        }
    }
}

// What a team works in: the tiles of its columns; and what all teams have: a panel of the packed rows.
#define TILE_PIECES(fours) (8 * (ROWS + 32 * (fours)))
#define PANEL_SIZE (ROWS * PANEL_WORDS + 1) // a word behind the last one is read, and shifted out

// Begins to copy the words of some columns of `count` rows, where a panel of their matrix begins.
DEVICE void copy_panel(const Part *part, const u8 *weights, u32 first_row, u32 count, u32 column, u32 *panel) {
    const Format format = part->format;
    if (format.type == F32 || column % (1 << format.panel_shift) != 0) {
        return;
    }
    u32 before = (column >> format.panel_shift) * format.panel_bytes, lane = threadIdx.x % 32;
    u32 rest = before < format.row_bytes ? format.row_bytes - before : 0;
    u32 bytes = rest < format.panel_bytes ? rest : format.panel_bytes;
    for (u32 i = threadIdx.x / 32; i < count; i += blockDim.x / 32) {
        u64 from = (u64)(weights + (u64)(first_row + i) * format.row_bytes + before);
        u32 start = from & 2, end = first_row + i < part->rows && rest > 0 ? start + bytes : 0;
        for (u32 word = lane; word < format.panel_bytes / 4 + 1; word += 32) {
            copy_word(panel + i * PANEL_WORDS + word, (const u32 *)(from - start) + word, 4 * word < end);
        }
    }
}

// Multiplies one tile: 64 rows of a matrix, or with an activation 32 rows of each of two, and 32 * fours tokens. Each
// team of 4 warps has its own steps of 32 columns; at the end their sums are added. While the tensor cores multiply, the
// next elements of the tokens come into registers, and the next panel of weights into shared memory. The root mean
// square of a token divides its sums; its squares are added up on the way.
//
// `tiles` has TILE_PIECES for each team, `squares` 32 * fours floats for each.
DEVICE void product_tile(const float *x, const float *norm, const u32 *cursor, const Parts *parts, const ProductJob *job,
                         Floats4 *tiles, u32 *panel, float *squares, const int teams, const int fours, const int gated) {
    const u32 tokens = 32 * fours, columns = job->columns;
    u32 number = 0, valid = job->has_cursor && cursor[1] < job->tokens ? cursor[1] : job->tokens;
    while (!gated && blockIdx.x >= job->part[number].end_group) {
        number++;
    }
    u32 group = blockIdx.x - (number == 0 ? 0 : job->part[number - 1].end_group);
    u32 first_token = blockIdx.y * tokens, first_row = group * (gated ? ROWS / 2 : ROWS);
    if (first_token >= valid) {
        return;
    }
    const u32 thread = threadIdx.x % TEAM, team = threadIdx.x / TEAM;
    Floats4 *left = tiles + team * TILE_PIECES(fours), *right = left + 8 * tokens;

    // a thread unpacks 16 columns of a row of the matrix, and loads 4 columns of every 16th token
    const u32 tile_row = thread % ROWS, half = thread / ROWS, load_token = thread / 8, load_piece = thread % 8;
    const u32 matrix = gated ? tile_row / (ROWS / 2) : number;
    const Format format = job->part[matrix].format;
    const u32 matrix_row = first_row + (gated ? tile_row % (ROWS / 2) : tile_row);
    const u8 *weights = OF_PART(parts->weights, number);
    const u8 *row = (gated && matrix == 1 ? parts->weights[1] : weights) + (u64)matrix_row * format.row_bytes;
    const u32 row_columns = matrix_row < job->part[matrix].rows ? columns : 0;

    float sums[2][4][4], square[4] = {0, 0, 0, 0};
    for (int i = 0; i < 32; i++) {
        sums[i / 16][i / 4 % 4][i % 4] = 0;
    }
    Floats4 next[4], weight = {{1, 1, 1, 1}};
    for (u32 start = 0; start < columns + DEPTH * teams; start += DEPTH * teams) {
        u32 now = start - DEPTH * (teams - team), load_column = start + DEPTH * team + 4 * load_piece;
        if (start > 0) {
            for (int i = 0; i < 2 * fours; i++) {
                Floats4 of_token;
                for (int j = 0; j < 4; j++) {
                    square[i] += next[i].at[j] * next[i].at[j];
                    of_token.at[j] = next[i].at[j] * weight.at[j];
                }
                left[piece(load_token + 16 * i, load_piece)] = of_token;
            }
            float unpacked[16];
            u32 column = now + 16 * half;
            if (format.type == F32) {
                for (int i = 0; i < 16; i++) {
                    unpacked[i] = column + i < row_columns ? GLOBAL(const float, (u64)row + 4 * (column + i)) : 0;
                }
            } else {
                u32 begin = (u32)((u64)row + (column >> format.panel_shift) * format.panel_bytes) & 2;
                column %= 1 << format.panel_shift;
                unpack(&format, (const u8 *)(panel + tile_row * PANEL_WORDS) + begin, column, 16, unpacked);
            }
            for (int i = 0; i < 4; i++) {
                Floats4 four = {{unpacked[4 * i], unpacked[4 * i + 1], unpacked[4 * i + 2], unpacked[4 * i + 3]}};
                right[piece(tile_row, 4 * half + i)] = four;
            }
            __syncthreads();
        }
        for (int i = 0; i < 2 * fours; i++) {
            u32 token = first_token + load_token + 16 * i;
            Floats4 zero = {{0, 0, 0, 0}};
            next[i] = token < job->tokens && load_column < columns
                    ? GLOBAL(const Floats4, (u64)(x + (u64)token * columns + load_column)) : zero;
        }
        if (job->has_norm && load_column < columns) {
            weight = GLOBAL(const Floats4, (u64)(norm + load_column));
        }
        copy_panel(&job->part[number], weights, first_row, gated ? ROWS / 2 : ROWS, start, panel);
        if (gated) {
            copy_panel(&job->part[1], parts->weights[1], first_row, ROWS / 2, start, panel + ROWS / 2 * PANEL_WORDS);
        }
        if (start > 0) {
            if (job->exact || !CAN_ROUND) {
                multiply_tiles(left, right, sums, fours, 1);
            } else {
                multiply_tiles(left, right, sums, fours, 0);
            }
        }
        finish_copies();
        __syncthreads();
    }

    // the squares of a token are in 8 neighbours of each team
    for (int i = 0; i < 2 * fours; i++) {
        for (int distance = 1; distance < 8; distance *= 2) {
            square[i] += __shfl_xor_sync(~0u, square[i], distance);
        }
        squares[team * tokens + load_token + 16 * i] = square[i];
    }
    float *others = (float *)tiles;
    for (int i = 0; i < 16 * fours && team > 0; i++) {
        others[((team - 1) * 16 * fours + i) * TEAM + thread] = sums[i / 16][i / 4 % 4][i % 4];
    }
    __syncthreads();
    if (team > 0) {
        return;
    }
    for (int i = 0; i < 16 * fours * (teams - 1); i++) {
        sums[i / 16 % fours][i / 4 % 4][i % 4] += others[i * TEAM + thread];
    }
    const u32 lane = thread % 32, g = lane / 4, t = lane % 4, warp = thread / 32;
    for (int m = 0; m < 2 * fours; m++) {
        u32 token = (warp % 2 * fours + m / 2) * 16 + m % 2 * 8 + g;
        if (first_token + token >= valid) {
            continue;
        }
        float all = 0;
        for (int i = 0; i < teams; i++) {
            all += squares[i * tokens + token];
        }
        float scale = job->has_norm ? 1 / sqrtf(all / job->columns + job->epsilon) : 1;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int n = i / 2, element = m % 2 * 2 + i % 2;
            u32 row_of_tile = warp / 2 * 16 + n % 2 * 8 + 2 * t + i % 2;
            if (!gated) {
                store_product(parts, job, number, first_token + token, first_row + n / 2 * 32 + row_of_tile, scale,
                              sums[m / 2][n][element], 0, gated);
            } else if (n < 2) {
                store_product(parts, job, 0, first_token + token, first_row + row_of_tile, scale,
                              sums[m / 2][n][element], sums[m / 2][n + 2][element], gated);
            }
        }
    }
}
