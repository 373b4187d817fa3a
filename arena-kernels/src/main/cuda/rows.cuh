// Pieces of packed rows: a warp copies one, 16 bytes a lane, into registers and then into its part of shared memory, where
// its lanes unpack some columns at a time. Rows follow each other without gaps, so a piece is some whole rows, or a part of a
// long one.
#pragma once
#include "fragments.cuh"
#include "weights.cuh"

typedef struct {
    Format format; // its panels are the parts of a long row
    u32 rows;
    u32 piece_rows; // 1 where a row has several pieces
    u32 pieces;     // of a row
} Rows;

// Where a piece is: all 16 bytes that have some of it.
typedef struct {
    u64 first;
    u32 start, count; // the bytes in front of it, and how often 16 bytes
} Piece;

DEVICE Piece piece_at(const u8 *weights, const Rows *rows, u32 row, u32 number) {
    const Format *format = &rows->format;
    u32 skipped = number * format->panel_bytes, left = rows->rows - row;
    u32 bytes = rows->pieces == 1 ? (left < rows->piece_rows ? left : rows->piece_rows) * format->row_bytes
              : number + 1 < rows->pieces ? format->panel_bytes : format->row_bytes - skipped;
    u64 begin = (u64)weights + (u64)row * format->row_bytes + skipped;
    Piece piece;
    piece.start = begin % 16;
    piece.first = begin - piece.start;
    piece.count = (piece.start + bytes + 15) / 16;
    return piece;
}

// LOADS: of 16 bytes by a lane, enough for a piece.
template <int LOADS> DEVICE void fetch(Piece piece, Words4 *held) {
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        u32 at = threadIdx.x % 32 + 32 * i;
        if (at < piece.count) {
            held[i] = GLOBAL(const Words4, piece.first + 16 * at);
        }
    }
}

// The warp can read what it fetched.
template <int LOADS> DEVICE void keep(Piece piece, const Words4 *held, Words4 *buffer) {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        u32 at = threadIdx.x % 32 + 32 * i;
        if (at < piece.count) {
            buffer[at] = held[i];
        }
    }
    __syncwarp();
}
