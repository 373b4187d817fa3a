// also for compute_80
// Attention of many rows to the keys and values of a cache, in tiles of 16 * FOURS queries of the heads that share a key
// head, and 32 keys. Each warp of a team has 64 elements of the heads, and adds its part of the scores to those of the
// others, in shared memory. 8 threads turn those of a query into weights. Then each warp weighs its own elements of the
// values. Keys and values go from the cache to registers: no other warp of the block reads the same. Two teams take turns
// with the keys, and at the end the first one puts their sums together. Without `rotated` the queries are in `out`.
#include "kernel.cuh"
#include "fragments.cuh"

#ifndef FOURS
#define FOURS 1
#endif
#define QUERIES (16 * FOURS)
#define KEYS 32
#define SLICE 64
#define WARPS 4 // of a team, at most
#define TEAMS 2
#define NOTHING (-1e30f)  // the score of a key that a query does not see
#define SMALLEST (-1e29f) // of the largest scores

// Of the teams; scores and weights in pieces of 4 keys.
typedef struct {
    Floats4 scores[TEAMS][WARPS * QUERIES * 8], weights[TEAMS][QUERIES * 8];
    float largest[TEAMS][QUERIES], total[TEAMS][QUERIES], share[TEAMS][QUERIES];
} Memory;

typedef struct {
    u32 rows, kv_heads, group, head_dim, cache_rows, reach, exact;
    float scale;
} AttentionJob;

typedef struct {
    u32 position, row;
} Place;

// Four elements of a head of a cache, or zero beyond the last position or element. `first` is a position, and its row.
DEVICE Floats4 cached(const float *cache, const AttentionJob *job, Place first, u32 further, u32 last, u32 element) {
    u32 row = first.row + further;
    row -= row >= job->cache_rows ? job->cache_rows : 0;
    u64 head = (u64)row * job->kv_heads + blockIdx.y;
    Floats4 zero = {{0, 0, 0, 0}};
    return first.position + further <= last && element < job->head_dim
         ? GLOBAL(const Floats4, (u64)(cache + head * job->head_dim + element)) : zero;
}

DEVICE u32 first_seen(const AttentionJob *job, u32 position, u32 oldest) {
    u32 first = position + 1 > job->reach ? position + 1 - job->reach : 0;
    return first > oldest ? first : oldest;
}

DEVICE void attend(float *out, const float *rotated, const float *keys, const float *values, const u32 *cursor,
                   const AttentionJob *job, Memory *memory, const int exact) {
    const u32 lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, slices = blockDim.x / 32 / TEAMS;
    const u32 thread = threadIdx.x % (32 * slices);
    const u32 slice = threadIdx.x / 32 % slices, team = threadIdx.x / 32 / slices;
    const u32 begin = cursor[0], rows = cursor[1] < job->rows ? cursor[1] : job->rows;
    // the last queries see the most: their blocks come first
    const u32 first_query = (gridDim.x - 1 - blockIdx.x) * QUERIES, queries = rows * job->group;
    if (first_query >= queries) {
        return;
    }
    const u32 last_query = first_query + QUERIES < queries ? first_query + QUERIES - 1 : queries - 1;
    const u32 last = begin + last_query / job->group, end = begin + rows;
    const u32 oldest = end > job->cache_rows ? end - job->cache_rows : 0;
    const u32 columns = job->kv_heads * job->group * job->head_dim;

    Floats4 query[FOURS][2][4];
    float sums[FOURS][8][4];
    u64 place[FOURS][2];
    for (int m = 0; m < 2 * FOURS; m++) {
        u32 number = first_query + m / 2 * 16 + m % 2 * 8 + g, row = number / job->group;
        place[m / 2][m % 2] = (u64)row * columns + ((u64)blockIdx.y * job->group + number % job->group) * job->head_dim;
        for (int j = 0; j < 4; j++) {
            u32 element = SLICE * slice + 16 * j + 4 * t;
            Floats4 zero = {{0, 0, 0, 0}};
            query[m / 2][m % 2][j] = number < queries && element < job->head_dim
                ? GLOBAL(const Floats4, (u64)(rotated + place[m / 2][m % 2] + element)) : zero;
        }
        for (int i = 0; i < 16; i++) {
            sums[m / 2][m % 2 * 4 + i / 4][i % 4] = 0;
        }
    }
    for (u32 row = thread; row < QUERIES; row += 32 * slices) {
        memory->largest[team][row] = SMALLEST;
        memory->total[team][row] = 0;
    }
    u32 start = first_seen(job, begin + first_query / job->group, oldest);
    for (; start <= last; start += KEYS * TEAMS) {
        const u32 first_key = start + KEYS * team;
        Place first = {first_key, first_key % job->cache_rows};
        float score[4][FOURS][4];
        for (int i = 0; i < 16 * FOURS; i++) {
            score[i / 4 / FOURS][i / 4 % FOURS][i % 4] = 0;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            Split a[FOURS][2][4];
            for (int i = 0; i < 8 * FOURS; i++) {
                a[i / 8][i / 4 % 2][i % 4] = split(query[i / 8][i % 2][j].at[i / 4 % 2 * 2 + i % 4 / 2], exact);
            }
            for (int n = 0; n < 4; n++) {
                Floats4 key = cached(keys, job, first, 8 * n + g, last, SLICE * slice + 16 * j + 4 * t);
                Split b[4];
                for (int i = 0; i < 4; i++) {
                    b[i] = split(key.at[i], exact);
                }
                for (int m = 0; m < 2 * FOURS; m++) {
                    multiply(score[n][m / 2], a[m / 2][m % 2], b + m % 2 * 2, exact);
                }
            }
        }
        for (int i = 0; i < 8 * FOURS; i++) {
            int m = i / 8, half = i / 4 % 2, n = i % 4;
            u32 at = slice * QUERIES * 8 + piece(16 * m + 8 * half + g, 2 * n + t / 2);
            float *to = memory->scores[team][at].at + t % 2 * 2;
            to[0] = score[n][m][2 * half];
            to[1] = score[n][m][2 * half + 1];
        }
        __syncthreads();
        // a thread has 4 of the keys of a query
        for (u32 row = thread / 8; row < QUERIES; row += 4 * slices) {
            u32 at = piece(row, thread % 8), position = begin + (first_query + row) / job->group;
            u32 key = first_key + thread % 8 * 4, seen = first_seen(job, position, oldest);
            Floats4 weight = memory->scores[team][at];
            for (u32 s = 1; s < WARPS; s++) {
                if (s < slices) {
                    Floats4 more = memory->scores[team][s * QUERIES * 8 + at];
                    for (int j = 0; j < 4; j++) {
                        weight.at[j] += more.at[j];
                    }
                }
            }
            float before = memory->largest[team][row], largest = before, total = 0;
            for (u32 j = 0; j < 4; j++) {
                weight.at[j] = key + j >= seen && key + j <= position ? weight.at[j] * job->scale : NOTHING;
                largest = fmaxf(largest, weight.at[j]);
            }
            for (int distance = 1; distance < 8; distance *= 2) {
                largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, distance));
            }
            for (int j = 0; j < 4; j++) {
                weight.at[j] = weight_of(weight.at[j] - largest);
                total += weight.at[j];
            }
            for (int distance = 1; distance < 8; distance *= 2) {
                total += __shfl_xor_sync(~0u, total, distance);
            }
            memory->weights[team][at] = weight;
            if (thread % 8 == 0) {
                memory->share[team][row] = weight_of(before - largest);
                memory->largest[team][row] = largest;
                memory->total[team][row] = memory->total[team][row] * weight_of(before - largest) + total;
            }
        }
        __syncthreads();
        // the weights of two groups of 16 keys, of which a thread has 4
        Floats4 weight[FOURS][2][2];
        for (int m = 0; m < 2 * FOURS; m++) {
            u32 row = m / 2 * 16 + m % 2 * 8 + g;
            float share = memory->share[team][row];
            weight[m / 2][m % 2][0] = memory->weights[team][piece(row, t)];
            weight[m / 2][m % 2][1] = memory->weights[team][piece(row, 4 + t)];
            for (int i = 0; i < 8; i++) {
                sums[m / 2][i][m % 2 * 2] *= share;
                sums[m / 2][i][m % 2 * 2 + 1] *= share;
            }
        }
#pragma unroll
        for (int pair = 0; pair < 4; pair++) { // two neighbours of the 4 keys of a group
            u32 key = pair / 2 * 16 + 4 * t + pair % 2 * 2;
            Split a[FOURS][4];
            for (int i = 0; i < 4 * FOURS; i++) {
                a[i / 4][i % 4] = split(weight[i / 4][i % 2][pair / 2].at[pair % 2 * 2 + i % 4 / 2], exact);
            }
            for (int j = 0; j < 2; j++) {
                u32 element = SLICE * slice + 32 * j + 4 * g;
                Floats4 even = cached(values, job, first, key, last, element);
                Floats4 odd = cached(values, job, first, key + 1, last, element);
                for (int i = 0; i < 4; i++) {
                    Split b[2];
                    b[0] = split(even.at[i], exact);
                    b[1] = split(odd.at[i], exact);
                    for (int m = 0; m < FOURS; m++) {
                        multiply(sums[m][4 * j + i], a[m], b, exact);
                    }
                }
            }
        }
    }
    float *others = (float *)memory->scores;
    __syncthreads();
    if (team > 0) {
        for (int i = 0; i < 32 * FOURS; i++) {
            others[i * 32 * WARPS + thread] = sums[i / 32][i / 4 % 8][i % 4];
        }
    }
    __syncthreads();
    if (team > 0) {
        return;
    }
    for (int m = 0; m < 2 * FOURS; m++) {
        u32 row = m / 2 * 16 + m % 2 * 8 + g;
        float largest = fmaxf(memory->largest[0][row], memory->largest[1][row]);
        float share = weight_of(memory->largest[0][row] - largest), other_share = weight_of(memory->largest[1][row] - largest);
        float total = share * memory->total[0][row] + other_share * memory->total[1][row];
        for (int i = 0; i < 4; i++) {
            u32 element = SLICE * slice + i / 2 * 32 + 8 * t + i % 2 * 4;
            Floats4 four;
            for (int j = 0; j < 4; j++) {
                int n = i / 2 * 4 + j, index = m % 2 * 2 + i % 2;
                float other = others[(m / 2 * 32 + n * 4 + index) * 32 * WARPS + thread];
                four.at[j] = (share * sums[m / 2][n][index] + other_share * other) / total;
            }
            if (first_query + row < queries && element < job->head_dim) {
                GLOBAL(Floats4, (u64)(out + place[m / 2][m % 2] + element)) = four;
            }
        }
    }
}

KERNEL da_prefill_attention(float *out, const float *rotated, const float *keys, const float *values, const u32 *cursor,
                            BY_VALUE AttentionJob job) {
    __shared__ Memory memory;
    const float *queries = rotated ? rotated : out;
    if (job.exact || !CAN_ROUND) {
        attend(out, queries, keys, values, cursor, &job, &memory, 1);
    } else {
        attend(out, queries, keys, values, cursor, &job, &memory, 0);
    }
}
