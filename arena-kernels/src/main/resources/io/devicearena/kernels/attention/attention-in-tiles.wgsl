//! use SEEN: attention/seen-in-cache
/* The queries for which a thread adds up a vector of values. */
const PER_SLICE: u32 = 2u;
const QUERY: u32 = 0u; //! repeat PER_SLICE
const VECTOR: u32 = 0u; //! repeat 8
const KEY: u32 = 0u; //! repeat 32
/* The slabs of a head. */
override SLABS: u32 = 2u;

@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> queries: array<vec4<f32>>;

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

    /* It adds up one vector of some queries, which QUERY counts. */
    let v = thread % WIDTH;
    let slice = thread / WIDTH * PER_SLICE;
    var sum_QUERY = vec4<f32>();
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
            let q0_VECTOR = qs[9u * y + VECTOR];
            let q1_VECTOR = qs[9u * (y + 16u) + VECTOR];
            let k0_VECTOR = ks[9u * x + VECTOR];
            let k1_VECTOR = ks[9u * (x + 16u) + VECTOR];
            s0 += vec2<f32>(dot(q0_VECTOR, k0_VECTOR), dot(q1_VECTOR, k0_VECTOR));
            s1 += vec2<f32>(dot(q0_VECTOR, k1_VECTOR), dot(q1_VECTOR, k1_VECTOR));
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
        most = max(most, scores[33u * slot + KEY]);
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

        sum_QUERY *= shrinks[min(slice + QUERY, 31u)];
        for (var n = 0u; n < 32u && chunk + n < end; n += 4u) {
            let v0 = value(key_at(chunk + n, group) + v);
            let v1 = value(key_at(min(chunk + n + 1u, end - 1u), group) + v);
            let v2 = value(key_at(min(chunk + n + 2u, end - 1u), group) + v);
            let v3 = value(key_at(min(chunk + n + 3u, end - 1u), group) + v);
            let w_QUERY = ks[9u * min(slice + QUERY, 31u) + n / 4u];
            sum_QUERY += (w_QUERY.x * v0 + w_QUERY.y * v1) + (w_QUERY.z * v2 + w_QUERY.w * v3);
        }
    }

    scores[33u * slot + lane] = total;
    workgroupBarrier();
    let n_QUERY = slice + QUERY;
    if (n_QUERY < 32u && tile + n_QUERY <= last) { out[query_number(tile + n_QUERY, group) + v] = sum_QUERY / total_of(n_QUERY); }
}

fn query_number(n: u32, group: vec3<u32>) -> u32 { return query_at(n / GROUP, n % GROUP, group); }

fn total_of(n: u32) -> f32 {
    var all = 0.0;
    for (var c = 0u; c < 8u; c++) { all += scores[33u * n + c]; }
    return all;
}
