// prefill attention

// attention/shape.wgsl
override KV_HEADS: u32 = 2u;
/* The query heads that share a key head. */
override GROUP: u32 = 4u;
/* The vectors of a head. */
override WIDTH: u32 = 16u;
override CACHE_ROWS: u32 = 4096u;
/* The positions that a query sees. */
override REACH: u32 = 4096u;
override SCALE: f32 = 0.1f;

// attention/seen-in-cache.wgsl

@group(0) @binding(0) var<storage, read> key_cache: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> value_cache: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> cursor: array<u32>;

var<workgroup> here: vec2<u32>;

/* The rows that are valid, and the position of the first. */
struct Rows { count: u32, position: u32 }

fn valid_rows(group: vec3<u32>, thread: u32) -> Rows {
    if (thread == 0u) { here = vec2<u32>(cursor[1], cursor[0]); }
    let words = workgroupUniformLoad(&here);
    return Rows(words.x, words.y);
}

/* The first key that a row sees. The cache has no keys that later rows of this step have overwritten. */
fn first_key(row: u32, rows: Rows) -> u32 {
    let after = rows.position + row + 1u;
    let end = rows.position + rows.count;
    return max(max(after, REACH) - REACH, max(end, CACHE_ROWS) - CACHE_ROWS);
}

fn end_key(row: u32, rows: Rows) -> u32 { return rows.position + row + 1u; }

/* Where vectors begin. */
fn query_at(row: u32, head: u32, group: vec3<u32>) -> u32 {
    return ((row * KV_HEADS + group.y) * GROUP + head) * WIDTH;
}

fn key_at(p: u32, group: vec3<u32>) -> u32 { return (p % CACHE_ROWS * KV_HEADS + group.y) * WIDTH; }

fn key(at: u32) -> vec4<f32> { return key_cache[at]; }

fn value(at: u32) -> vec4<f32> { return value_cache[at]; }

// attention/attention-in-tiles.wgsl
/* The queries for which a thread adds up a vector of values. */
const PER_SLICE: u32 = 2u;
/* The slabs of a head. */
override SLABS: u32 = 2u;

@group(0) @binding(3) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> queries: array<vec4<f32>>;

const NO_SCORE = -3.0e38;

/* 8 vectors of 32 queries and keys, in rows of 9, so that neighbours read different banks. Later ks has the weights. */
var<workgroup> qs: array<vec4<f32>, 288>;
var<workgroup> ks: array<vec4<f32>, 288>;
/* For 32 queries, 32 keys in rows of 33. At the end it has the sums of the weights. */
var<workgroup> scores: array<f32, 1056>;
var<workgroup> shrinks: array<f32, 32>;

/* Query number n of a tile is head n % GROUP of a row. Those beyond the last are computed like it, and not stored. */
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let rows = valid_rows(group, thread);
    let tile = group.x * 32u;
    let queries_end = rows.count * GROUP;
    if (tile >= queries_end) { return; }
    let last = queries_end - 1u;
    let first = first_key(tile / GROUP, rows);
    let end = end_key(min(tile + 31u, last) / GROUP, rows);

    /* Of 8 vectors each thread loads one; it computes 2 x 2 scores. */
    let lane = thread % 8u;
    let slot = thread / 8u;
    let loaded = min(tile + slot, last);
    let loaded_query = query_at(loaded / GROUP, loaded % GROUP, group) + lane;
    let x = thread % 16u;
    let y = thread / 16u;
    let row0 = min(tile + y, last) / GROUP;
    let row1 = min(tile + y + 16u, last) / GROUP;
    let seen = vec2<u32>(first_key(row0, rows), first_key(row1, rows));
    let unseen = vec2<u32>(end_key(row0, rows), end_key(row1, rows));

    /* It adds up one vector of some queries, which 0u counts. */
    /* It adds up one vector of some queries, which 1u counts. */
    let v = thread % WIDTH;
    let slice = thread / WIDTH * PER_SLICE;
    var sum_0 = vec4<f32>();
    var sum_1 = vec4<f32>();
    var most = NO_SCORE;
    var total = 0.0;

    for (var chunk = first; chunk < end; chunk += 32u) {
        let loaded_key = key_at(min(chunk + slot, end - 1u), group) + lane;
        var s0 = vec2<f32>();
        var s1 = vec2<f32>();
        for (var slab = 0u; slab < SLABS; slab++) {
            var q = vec4<f32>();
            var k = vec4<f32>();
            if (8u * slab + lane < WIDTH) {
                q = queries[loaded_query + 8u * slab];
                k = key(loaded_key + 8u * slab);
            }
            workgroupBarrier();
            qs[9u * slot + lane] = q;
            ks[9u * slot + lane] = k;
            workgroupBarrier();
            let q0_0 = qs[9u * y + 0u];
            let q0_1 = qs[9u * y + 1u];
            let q0_2 = qs[9u * y + 2u];
            let q0_3 = qs[9u * y + 3u];
            let q0_4 = qs[9u * y + 4u];
            let q0_5 = qs[9u * y + 5u];
            let q0_6 = qs[9u * y + 6u];
            let q0_7 = qs[9u * y + 7u];
            let q1_0 = qs[9u * (y + 16u) + 0u];
            let q1_1 = qs[9u * (y + 16u) + 1u];
            let q1_2 = qs[9u * (y + 16u) + 2u];
            let q1_3 = qs[9u * (y + 16u) + 3u];
            let q1_4 = qs[9u * (y + 16u) + 4u];
            let q1_5 = qs[9u * (y + 16u) + 5u];
            let q1_6 = qs[9u * (y + 16u) + 6u];
            let q1_7 = qs[9u * (y + 16u) + 7u];
            let k0_0 = ks[9u * x + 0u];
            let k0_1 = ks[9u * x + 1u];
            let k0_2 = ks[9u * x + 2u];
            let k0_3 = ks[9u * x + 3u];
            let k0_4 = ks[9u * x + 4u];
            let k0_5 = ks[9u * x + 5u];
            let k0_6 = ks[9u * x + 6u];
            let k0_7 = ks[9u * x + 7u];
            let k1_0 = ks[9u * (x + 16u) + 0u];
            let k1_1 = ks[9u * (x + 16u) + 1u];
            let k1_2 = ks[9u * (x + 16u) + 2u];
            let k1_3 = ks[9u * (x + 16u) + 3u];
            let k1_4 = ks[9u * (x + 16u) + 4u];
            let k1_5 = ks[9u * (x + 16u) + 5u];
            let k1_6 = ks[9u * (x + 16u) + 6u];
            let k1_7 = ks[9u * (x + 16u) + 7u];
            s0 += vec2<f32>(dot(q0_0, k0_0), dot(q1_0, k0_0));
            s0 += vec2<f32>(dot(q0_1, k0_1), dot(q1_1, k0_1));
            s0 += vec2<f32>(dot(q0_2, k0_2), dot(q1_2, k0_2));
            s0 += vec2<f32>(dot(q0_3, k0_3), dot(q1_3, k0_3));
            s0 += vec2<f32>(dot(q0_4, k0_4), dot(q1_4, k0_4));
            s0 += vec2<f32>(dot(q0_5, k0_5), dot(q1_5, k0_5));
            s0 += vec2<f32>(dot(q0_6, k0_6), dot(q1_6, k0_6));
            s0 += vec2<f32>(dot(q0_7, k0_7), dot(q1_7, k0_7));
            s1 += vec2<f32>(dot(q0_0, k1_0), dot(q1_0, k1_0));
            s1 += vec2<f32>(dot(q0_1, k1_1), dot(q1_1, k1_1));
            s1 += vec2<f32>(dot(q0_2, k1_2), dot(q1_2, k1_2));
            s1 += vec2<f32>(dot(q0_3, k1_3), dot(q1_3, k1_3));
            s1 += vec2<f32>(dot(q0_4, k1_4), dot(q1_4, k1_4));
            s1 += vec2<f32>(dot(q0_5, k1_5), dot(q1_5, k1_5));
            s1 += vec2<f32>(dot(q0_6, k1_6), dot(q1_6, k1_6));
            s1 += vec2<f32>(dot(q0_7, k1_7), dot(q1_7, k1_7));
        }
        let p = vec2<u32>(chunk + x);
        let masked0 = select(vec2<f32>(NO_SCORE), SCALE * s0, (p >= seen) & (p < unseen));
        let masked1 = select(vec2<f32>(NO_SCORE), SCALE * s1, (p + 16u >= seen) & (p + 16u < unseen));
        scores[33u * y + x] = masked0.x;
        scores[33u * (y + 16u) + x] = masked0.y;
        scores[33u * y + x + 16u] = masked1.x;
        scores[33u * (y + 16u) + x + 16u] = masked1.y;
        workgroupBarrier();

        /* Eight threads have the scores of a query, each weighs four. */
        let before = most;
        most = max(most, scores[33u * slot + 0u]);
        most = max(most, scores[33u * slot + 1u]);
        most = max(most, scores[33u * slot + 2u]);
        most = max(most, scores[33u * slot + 3u]);
        most = max(most, scores[33u * slot + 4u]);
        most = max(most, scores[33u * slot + 5u]);
        most = max(most, scores[33u * slot + 6u]);
        most = max(most, scores[33u * slot + 7u]);
        most = max(most, scores[33u * slot + 8u]);
        most = max(most, scores[33u * slot + 9u]);
        most = max(most, scores[33u * slot + 10u]);
        most = max(most, scores[33u * slot + 11u]);
        most = max(most, scores[33u * slot + 12u]);
        most = max(most, scores[33u * slot + 13u]);
        most = max(most, scores[33u * slot + 14u]);
        most = max(most, scores[33u * slot + 15u]);
        most = max(most, scores[33u * slot + 16u]);
        most = max(most, scores[33u * slot + 17u]);
        most = max(most, scores[33u * slot + 18u]);
        most = max(most, scores[33u * slot + 19u]);
        most = max(most, scores[33u * slot + 20u]);
        most = max(most, scores[33u * slot + 21u]);
        most = max(most, scores[33u * slot + 22u]);
        most = max(most, scores[33u * slot + 23u]);
        most = max(most, scores[33u * slot + 24u]);
        most = max(most, scores[33u * slot + 25u]);
        most = max(most, scores[33u * slot + 26u]);
        most = max(most, scores[33u * slot + 27u]);
        most = max(most, scores[33u * slot + 28u]);
        most = max(most, scores[33u * slot + 29u]);
        most = max(most, scores[33u * slot + 30u]);
        most = max(most, scores[33u * slot + 31u]);
        var four: vec4<f32>;
        for (var c = 0u; c < 4u; c++) {
            let score = scores[33u * slot + 4u * lane + c];
            four[c] = select(exp(score - most), 0.0, score == NO_SCORE);
        }
        let shrink = exp(before - most);
        total = total * shrink + ((four.x + four.y) + (four.z + four.w));
        ks[9u * slot + lane] = four;
        if (lane == 0u) { shrinks[slot] = shrink; }
        workgroupBarrier();

        sum_0 *= shrinks[min(slice + 0u, 31u)];
        sum_1 *= shrinks[min(slice + 1u, 31u)];
        for (var n = 0u; n < 32u && chunk + n < end; n += 4u) {
            let v0 = value(key_at(chunk + n, group) + v);
            let v1 = value(key_at(min(chunk + n + 1u, end - 1u), group) + v);
            let v2 = value(key_at(min(chunk + n + 2u, end - 1u), group) + v);
            let v3 = value(key_at(min(chunk + n + 3u, end - 1u), group) + v);
            let w_0 = ks[9u * min(slice + 0u, 31u) + n / 4u];
            let w_1 = ks[9u * min(slice + 1u, 31u) + n / 4u];
            sum_0 += (w_0.x * v0 + w_0.y * v1) + (w_0.z * v2 + w_0.w * v3);
            sum_1 += (w_1.x * v0 + w_1.y * v1) + (w_1.z * v2 + w_1.w * v3);
        }
    }

    scores[33u * slot + lane] = total;
    workgroupBarrier();
    let n_0 = slice + 0u;
    let n_1 = slice + 1u;
    if (n_0 < 32u && tile + n_0 <= last) { out[query_number(tile + n_0, group) + v] = sum_0 / total_of(n_0); }
    if (n_1 < 32u && tile + n_1 <= last) { out[query_number(tile + n_1, group) + v] = sum_1 / total_of(n_1); }
}

fn query_number(n: u32, group: vec3<u32>) -> u32 { return query_at(n / GROUP, n % GROUP, group); }

fn total_of(n: u32) -> f32 {
    var all = 0.0;
    for (var c = 0u; c < 8u; c++) { all += scores[33u * n + c]; }
    return all;
}
