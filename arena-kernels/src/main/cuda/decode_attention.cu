// Attention of one row to the keys and values of a cache: a block for each split and head. It norms and rotates the query
// and the key of the row, which one of the blocks of a key head stores. Each warp reads rows of the cache, 8 at a time, a
// lane 4 elements of each half of a head. It reads the cursor and the first rows before the kernel in front has ended.
// also for compute_90
#include "kernel.cuh"
#include "rotation.cuh"

#define WARPS 8
#define CHUNK 64 // rows of the cache that a split has in turn
#define PER_WARP (CHUNK / WARPS)
#define PAIRS (MOST_PAIRS / 32)
#define NO_SCORE (-3e38f)

typedef struct {
    u32 kv_heads, group, head_dim, cache_rows, reach, has_norms, neighbours, splits;
    float epsilon, scale;
    Rotation rotation;
} DecodeJob;

typedef struct {
    Floats4 query[2 * MOST_PAIRS / 4], key[2 * MOST_PAIRS / 4], sums[WARPS][2 * MOST_PAIRS / 4];
    float most[WARPS], total[WARPS], sines[MOST_PAIRS], cosines[MOST_PAIRS];
} DecodeMemory;

// What a lane has of a head: numbers of pairs that are rotated together.
typedef struct {
    float a[PAIRS], b[PAIRS];
} Pairs;

DEVICE Pairs read_pairs(const DecodeJob *job, const float *from) {
    const u32 half = job->head_dim / 2;
    Pairs pairs;
    for (int i = 0; i < PAIRS; i++) {
        u32 pair = threadIdx.x % 32 + 32 * i, first = job->neighbours ? 2 * pair : pair;
        pairs.a[i] = pair < half ? from[first] : 0;
        pairs.b[i] = pair < half ? from[job->neighbours ? first + 1 : pair + half] : 0;
    }
    return pairs;
}

// Norms and rotates a head, by one warp, whose lanes have up to PAIRS pairs.
DEVICE void turn_head(const float *from, const Pairs *norm, const DecodeJob *job, const float *sines, const float *cosines,
                      float factor, float *to) {
    const u32 half = job->head_dim / 2;
    const Pairs x = read_pairs(job, from);
    float squares = 0;
    for (int i = 0; i < PAIRS; i++) {
        squares += x.a[i] * x.a[i] + x.b[i] * x.b[i];
    }
    const float scale = rsqrtf(warp_sum(squares) / job->head_dim + job->epsilon);
    for (int i = 0; i < PAIRS; i++) {
        u32 pair = threadIdx.x % 32 + 32 * i;
        if (pair < half) {
            u32 first = job->neighbours ? 2 * pair : pair, second = job->neighbours ? first + 1 : pair + half;
            float a = job->has_norms ? x.a[i] * scale * norm->a[i] : x.a[i];
            float b = job->has_norms ? x.b[i] * scale * norm->b[i] : x.b[i];
            to[first] = factor * (a * cosines[pair] - b * sines[pair]);
            to[second] = factor * (a * sines[pair] + b * cosines[pair]);
        }
    }
}

DEVICE void add_scaled(Floats4 *sum, float weight, Floats4 value) {
    for (int i = 0; i < 4; i++) {
        sum->at[i] += weight * value.at[i];
    }
}

// Whether the query sees what a row of the cache holds: a position before its own. What it does not see may be of an
// earlier sequence, even NaN.
DEVICE u32 sees(const DecodeJob *job, u32 row, u32 own_row, u32 position) {
    u32 back = (row < own_row ? own_row : own_row + job->cache_rows) - row;
    return row != own_row && row < job->cache_rows && back < job->reach && back <= position;
}

typedef struct {
    Floats4 key[PER_WARP][2], value[PER_WARP][2];
} CacheRows;

// Every WARPS-th row from one on, before it is known which of them the query sees.
DEVICE void read_rows(const DecodeJob *job, const float *keys, const float *values, u32 kv_head, u32 from, CacheRows *to) {
    const Floats4 zero = {{0, 0, 0, 0}};
    for (int r = 0; r < PER_WARP; r++) {
        u32 row = from + WARPS * r;
        u64 at = ((u64)row * job->kv_heads + kv_head) * job->head_dim;
        for (int i = 0; i < 2; i++) {
            u32 v = threadIdx.x % 32 + 32 * i, is_inside = row < job->cache_rows && 4 * v < job->head_dim;
            to->key[r][i] = is_inside ? GLOBAL(const Floats4, (u64)(keys + at + 4 * v)) : zero;
            to->value[r][i] = is_inside ? GLOBAL(const Floats4, (u64)(values + at + 4 * v)) : zero;
        }
    }
}

KERNEL da_decode_attention(float *partials, const float *queries, const float *keys, const float *values, float *key_cache,
                           float *value_cache, const u32 *cursor, const float *query_norm, const float *key_norm,
                           BY_VALUE DecodeJob job) {
    __shared__ DecodeMemory memory;
    const u32 split = blockIdx.x, head = blockIdx.y, kv_head = head / job.group, lane = threadIdx.x % 32;
    const u32 warp = threadIdx.x / 32, fours = job.head_dim / 4;
    const Floats4 zero = {{0, 0, 0, 0}};
    // threads that read different words of a parameter wait for each other, so each reads one, while the last kernel ends
    const u32 pair = threadIdx.x % MOST_PAIRS, turns = job.rotation.turns[pair], rests = job.rotation.rests[pair];
    Pairs norm;
    if (warp < 2 && job.has_norms) {
        norm = read_pairs(&job, warp == 0 ? query_norm : key_norm);
    }
    CacheRows rows;
    read_rows(&job, key_cache, value_cache, kv_head, split * CHUNK + warp, &rows);
    const u32 position = cursor[0], own_row = position % job.cache_rows;
    if (threadIdx.x < job.head_dim / 2) {
        float angle = half_turns(turns, rests, position);
        memory.sines[pair] = sinpif(angle);
        memory.cosines[pair] = cospif(angle);
    }
    __syncthreads();
    wait_for_last();
    start_next();
    const u64 own = ((u64)own_row * job.kv_heads + kv_head) * job.head_dim;
    const u32 is_own = split == own_row / CHUNK % job.splits;
    const float *value = values + kv_head * job.head_dim;
    if (warp == 0) {
        turn_head(queries + head * job.head_dim, &norm, &job, memory.sines, memory.cosines, job.scale, (float *)memory.query);
    } else if (warp == 1) {
        turn_head(keys + kv_head * job.head_dim, &norm, &job, memory.sines, memory.cosines, 1, (float *)memory.key);
    }
    __syncthreads();
    if (is_own && head % job.group == 0) {
        for (u32 c = threadIdx.x; c < job.head_dim; c += 32 * WARPS) {
            key_cache[own + c] = ((const float *)memory.key)[c];
            value_cache[own + c] = value[c];
        }
    }

    // vectors of the head: this one, and the one 32 further; the own position is not read from the caches
    Floats4 query[2], sum[2];
    float score = 0;
    for (int i = 0; i < 2; i++) {
        u32 v = lane + 32 * i;
        query[i] = v < fours ? memory.query[v] : zero;
        score += v < fours ? dot(query[i], memory.key[v]) : 0;
        sum[i] = is_own && warp == 0 && v < fours ? GLOBAL(const Floats4, (u64)(value + 4 * v)) : zero;
    }
    score = warp_sum(score);
    float most = is_own && warp == 0 ? score : NO_SCORE, total = is_own && warp == 0 ? 1 : 0;
    const u32 end = position < job.cache_rows ? position : job.cache_rows;
    for (u32 chunk = split * CHUNK; chunk < end; chunk += job.splits * CHUNK) {
        float scores[PER_WARP], largest = most;
        if (chunk != split * CHUNK) {
            read_rows(&job, key_cache, value_cache, kv_head, chunk + warp, &rows);
        }
#pragma unroll
        for (int r = 0; r < PER_WARP; r++) {
            float sum_of_row = warp_sum(dot(query[0], rows.key[r][0]) + dot(query[1], rows.key[r][1]));
            scores[r] = sees(&job, chunk + warp + WARPS * r, own_row, position) ? sum_of_row : NO_SCORE;
            largest = fmaxf(largest, scores[r]);
        }
        float shrink = weight_of(most - largest);
        total *= shrink;
        for (int j = 0; j < 4; j++) {
            sum[0].at[j] *= shrink;
            sum[1].at[j] *= shrink;
        }
        most = largest;
#pragma unroll
        for (int r = 0; r < PER_WARP; r++) {
            if (sees(&job, chunk + warp + WARPS * r, own_row, position)) {
                float weight = weight_of(scores[r] - most);
                total += weight;
                add_scaled(&sum[0], weight, rows.value[r][0]);
                add_scaled(&sum[1], weight, rows.value[r][1]);
            }
        }
    }

    for (int i = 0; i < 2; i++) {
        if (lane + 32 * i < fours) {
            memory.sums[warp][lane + 32 * i] = sum[i];
        }
    }
    memory.most[warp] = most;
    memory.total[warp] = total;
    __syncthreads();
    float *out = partials + ((u64)head * job.splits + split) * (job.head_dim + 4);
    for (u32 c = threadIdx.x; c < job.head_dim; c += 32 * WARPS) {
        float shares[WARPS], sums[WARPS], all = 0, largest = NO_SCORE, weights = 0;
        for (int w = 0; w < WARPS; w++) {
            shares[w] = memory.most[w];
            sums[w] = ((const float *)memory.sums[w])[c];
            largest = fmaxf(largest, shares[w]);
        }
        for (int w = 0; w < WARPS; w++) {
            shares[w] = weight_of(shares[w] - largest);
            all += shares[w] * sums[w];
            weights += shares[w] * memory.total[w];
        }
        out[c] = all;
        if (c == 0) {
            out[job.head_dim] = largest;
            out[job.head_dim + 1] = weights;
        }
    }
}
