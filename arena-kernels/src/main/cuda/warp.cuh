// Vectors of floats, and sums over the threads of a warp.
#pragma once

typedef struct ALIGNED(16) {
    float at[4];
} Floats4;

DEVICE float dot(Floats4 a, Floats4 b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2] + a.at[3] * b.at[3];
}

// Of as many neighbours, a power of two.
DEVICE float lanes_sum(float value, u32 lanes) {
    for (u32 distance = lanes / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(~0u, value, distance);
    }
    return value;
}

DEVICE float warp_sum(float value) { return lanes_sum(value, 32); }

// e^x of a score less the largest, by the one instruction for powers of two. It is off by some |x| units in the last place,
// which is little beside the weight of the largest, 1.
DEVICE float weight_of(float score) { return exp2f(1.4426950409f * score); }
