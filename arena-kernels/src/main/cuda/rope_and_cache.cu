// Norms and rotates the heads of queries and keys, and stores keys and values into their caches: a block for each row,
// whose heads take turns with its warps, first those of the queries. Without `queries` they are in `rotated`.
#include "kernel.cuh"
#include "rotation.cuh"

#define PER_THREAD 4 // pairs of a thread of a warp

typedef struct {
    u32 rows, heads, kv_heads, head_dim, cache_rows, has_norms, neighbours;
    float epsilon;
    Rotation rotation;
} RopeJob;

KERNEL da_rope_and_cache(float *rotated, const float *queries, const float *keys, const float *values, float *key_cache,
                         float *value_cache, const u32 *cursor, const float *query_norm, const float *key_norm,
                         BY_VALUE RopeJob job) {
    __shared__ float sines[MOST_PAIRS], cosines[MOST_PAIRS];
    const u32 row = blockIdx.x, position = cursor[0] + row, half = job.head_dim / 2, lane = threadIdx.x % 32;
    if (row >= cursor[1]) {
        return;
    }
    for (u32 pair = threadIdx.x; pair < half; pair += blockDim.x) {
        float angle = half_turns(job.rotation.turns[pair], job.rotation.rests[pair], position);
        sines[pair] = sinpif(angle);
        cosines[pair] = cospif(angle);
    }
    __syncthreads();
    for (u32 head = threadIdx.x / 32; head < job.heads + job.kv_heads; head += blockDim.x / 32) {
        const u32 is_key = head >= job.heads, kv_head = head - job.heads;
        const u64 in_cache = ((u64)(position % job.cache_rows) * job.kv_heads + kv_head) * job.head_dim;
        const u64 in_row = (is_key ? (u64)row * job.kv_heads + kv_head : (u64)row * job.heads + head) * job.head_dim;
        const float *from = (is_key ? keys : queries ? queries : rotated) + in_row, *norm = is_key ? key_norm : query_norm;
        float *to = is_key ? key_cache + in_cache : rotated + in_row;
        float x[PER_THREAD], y[PER_THREAD], squares = 0;
        for (int i = 0; i < PER_THREAD; i++) {
            u32 pair = lane + 32 * i, first = job.neighbours ? 2 * pair : pair;
            x[i] = pair < half ? from[first] : 0;
            y[i] = pair < half ? from[first + (job.neighbours ? 1 : half)] : 0;
            squares += x[i] * x[i] + y[i] * y[i];
        }
        float scale = 1 / sqrtf(warp_sum(squares) / job.head_dim + job.epsilon);
        for (int i = 0; i < PER_THREAD; i++) {
            u32 pair = lane + 32 * i, first = job.neighbours ? 2 * pair : pair;
            u32 second = first + (job.neighbours ? 1 : half);
            if (pair < half) {
                float a = job.has_norms ? x[i] * scale * norm[first] : x[i];
                float b = job.has_norms ? y[i] * scale * norm[second] : y[i];
                to[first] = a * cosines[pair] - b * sines[pair];
                to[second] = a * sines[pair] + b * cosines[pair];
                if (is_key) {
                    value_cache[in_cache + first] = values[in_row + first];
                    value_cache[in_cache + second] = values[in_row + second];
                }
            }
        }
    }
}
