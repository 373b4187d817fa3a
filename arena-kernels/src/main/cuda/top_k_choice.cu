// Draws one of the most likely of at most 1024 candidates, the logits or what slices kept, and moves the cursor to it:
// one block of 256 threads. Weights are added up in the order of the host.
// Source: J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011 (Philox2x32-10).
#include "kernel.cuh"
#include "top_k.cuh"

#define MOST_KEPT 256

typedef struct {
    SliceJob slice; // first_out is not used
    u32 seed_low, seed_high;
    float top_p, inverse_temperature;
} ChoiceJob;

// A number from 0 to 1 for a step, of 24 bits.
DEVICE float fraction(u32 step, const ChoiceJob *job) {
    u32 low = step, high = job->seed_high, key = job->seed_low;
    for (int i = 0; i < 10; i++) {
        u64 product = (u64)0xD256D193u * low;
        low = (u32)(product >> 32) ^ key ^ high;
        high = (u32)product;
        key += 0x9E3779B9u;
    }
    return (low >> 8) * 5.9604644775390625e-8f;
}

DEVICE float logit(u32 key) { return BITS_FLOAT(key >> 31 ? key & 0x7fffffff : ~key); }

// Relative to the largest; a NaN has the key 0.
DEVICE float weight(const Found *sorted, u32 rank, float inverse_temperature) {
    u32 key = sorted[rank].key, most = sorted[0].key;
    if (rank == 0) {
        return 1;
    }
    if (key == 0) {
        return 0;
    }
    return key == most ? 1 : expf((logit(key) - logit(most)) * inverse_temperature);
}

// The first of the ranks up to `last` whose sum is above a limit, or with `reached` equal to it; else the last one. The
// sums do not fall, so one thread finds it.
DEVICE u32 first_above(const float *sums, u32 last, float limit, int reached, u32 *choice) {
    const u32 rank = threadIdx.x, before = rank > 0 ? rank - 1 : 0;
    u32 is_above = rank <= last && (rank == last || sums[rank] > limit || (reached && sums[rank] == limit));
    u32 is_behind = rank > 0 && (sums[before] > limit || (reached && sums[before] == limit));
    if (is_above && !is_behind) {
        *choice = rank;
    }
    __syncthreads();
    return *choice;
}

KERNEL da_top_k_choice(const u32 *logits, const Found *found, u32 *cursor, BY_VALUE ChoiceJob job) {
    __shared__ Found sorted[SLICE];
    __shared__ float sums[MOST_KEPT];
    __shared__ u32 choices[2];
    sort_slice(logits, found, &job.slice, sorted);
    const u32 top = job.slice.top;
    if (threadIdx.x < top) {
        sums[threadIdx.x] = weight(sorted, threadIdx.x, job.inverse_temperature);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (u32 i = 0; i < top; i++) {
            total += sums[i];
            sums[i] = total;
        }
    }
    __syncthreads();
    const u32 last = first_above(sums, top - 1, job.top_p * sums[top - 1], 1, &choices[0]);
    const u32 choice = first_above(sums, last, fraction(cursor[3], &job) * sums[last], 0, &choices[1]);
    if (threadIdx.x == 0) {
        advance(cursor, sorted[choice].index);
    }
}
