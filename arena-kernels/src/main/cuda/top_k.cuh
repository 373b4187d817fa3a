// The largest logits of a slice of 1024, sorted: what kernels that choose among the most likely tokens share.
// Source: K. Batcher, Sorting networks and their applications, 1968 (bitonic sort).
#pragma once
#include "choice.cuh"

#define SLICE 1024

// The first candidates are the logits; then those that slices kept, which lie in `found` from `first_in` on.
typedef struct {
    u32 candidates, first_in, first_out, top;
} SliceJob;

DEVICE u32 is_before(Found a, Found b) { return a.key > b.key || (a.key == b.key && a.index < b.index); }

// The largest logit is first, and of equal ones that with the lowest index. What is beyond the candidates is last.
DEVICE void sort_slice(const u32 *logits, const Found *found, const SliceJob *job, Found *sorted) {
    for (u32 i = threadIdx.x; i < SLICE; i += THREADS) {
        u32 at = blockIdx.x * SLICE + i;
        Found one = {0, ~0u};
        if (at < job->candidates && logits) {
            one.key = ordered(logits[at]);
            one.index = at;
        } else if (at < job->candidates) {
            one = found[job->first_in + at];
        }
        sorted[i] = one;
    }
    for (u32 size = 2; size <= SLICE; size *= 2) {
        for (u32 half = size / 2; half > 0; half /= 2) {
            __syncthreads();
            for (u32 n = threadIdx.x; n < SLICE / 2; n += THREADS) {
                u32 i = 2 * n - n % half;
                Found a = sorted[i], b = sorted[i + half];
                if (is_before(b, a) == ((i & size) == 0)) {
                    sorted[i] = b;
                    sorted[i + half] = a;
                }
            }
        }
    }
    __syncthreads();
}
