// Norms and rotates the heads of queries and keys of some rows, and stores keys and values into their caches: a warp
// for each row of a head, first those of the queries.
#include "kernel.cuh"

typedef struct {
    u32 rows, heads, kv_heads, head_dim, cache_rows, has_norms, neighbours;
    float epsilon;
    // of each pair: the turns of a position, as a fraction of 2^32, and 12 bits below
    u32 turns[128], rests[128];
} RopeJob;

#define MOST_PAIRS 4 // of a thread

KERNEL da_rope_and_cache(float *rotated, const float *queries, const float *keys, const float *values, float *key_cache,
                         float *value_cache, const u32 *cursor, const float *query_norm, const float *key_norm,
                         BY_VALUE RopeJob job) {
    u32 lane = threadIdx.x % 32, index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 all = job.heads + job.kv_heads, row = index / all, head = index % all, half = job.head_dim / 2;
    if (row >= job.rows || row >= cursor[1]) {
        return;
    }
    u32 position = cursor[0] + row, is_key = head >= job.heads, kv_head = head - job.heads;
    u64 in_cache = ((u64)(position % job.cache_rows) * job.kv_heads + kv_head) * job.head_dim;
    u64 in_row = is_key ? ((u64)row * job.kv_heads + kv_head) * job.head_dim : ((u64)row * job.heads + head) * job.head_dim;
    const float *from = (is_key ? keys : queries) + in_row, *norm = is_key ? key_norm : query_norm;
    float *to = is_key ? key_cache + in_cache : rotated + in_row;
    float x[MOST_PAIRS], y[MOST_PAIRS], squares = 0;
#pragma unroll
    for (int i = 0; i < MOST_PAIRS; i++) {
        u32 pair = lane + 32 * i, first = job.neighbours ? 2 * pair : pair;
        x[i] = pair < half ? from[first] : 0;
        y[i] = pair < half ? from[first + (job.neighbours ? 1 : half)] : 0;
        squares += x[i] * x[i] + y[i] * y[i];
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        squares += __shfl_xor_sync(~0u, squares, distance);
    }
    float scale = 1 / sqrtf(squares / job.head_dim + job.epsilon);
#pragma unroll
    for (int i = 0; i < MOST_PAIRS; i++) {
        u32 pair = lane + 32 * i, first = job.neighbours ? 2 * pair : pair;
        u32 second = first + (job.neighbours ? 1 : half);
        if (pair >= half) {
            break;
        }
        if (job.has_norms) {
            x[i] *= scale * norm[first];
            y[i] *= scale * norm[second];
        }
        int phase = (int)(position * job.turns[pair] + (position * job.rests[pair] >> 12));
        float angle = phase * 4.656612873e-10f; // 2^-31 of a half turn
        float sine = sinpif(angle), cosine = cospif(angle);
        to[first] = x[i] * cosine - y[i] * sine;
        to[second] = x[i] * sine + y[i] * cosine;
        if (is_key) {
            value_cache[in_cache + first] = values[in_row + first];
            value_cache[in_cache + second] = values[in_row + second];
        }
    }
}
