// The rotation of the pairs of a head by a position.
#pragma once
#include "warp.cuh"

#define MOST_PAIRS 128

// Of each pair: the turns of a position, as a fraction of 2^32, and 12 bits below.
typedef struct {
    u32 turns[MOST_PAIRS], rests[MOST_PAIRS];
} Rotation;

// The angle of a pair at a position, in half turns.
DEVICE float half_turns(u32 turns, u32 rests, u32 position) {
    int phase = (int)(position * turns + (position * rests >> 12));
    return phase * 4.656612873e-10f; // 2^-31
}
