// decode attention
enable subgroups;
// step/lanes-in-subgroups.wgsl

override SUBGROUP: u32 = 32u;
override THREADS: u32 = 256u;
override LANES: u32 = 8u;

var<workgroup> shares: array<f32, THREADS / 4u>;

/* The neighbours that lanes_sum adds up in a subgroup. */
override PART: u32 = min(SUBGROUP, 32u);

/* The sum of 2, 4, 8 ... neighbours in a subgroup. For subgroupAdd NVIDIA's compiler calls a function, and moves loads
   behind the call that could wait for memory together with those before it. */
fn subgroup_sum(value: f32, width: u32) -> f32 {
    var s = value;
    if (width > 64u) { s += subgroupShuffleXor(s, 64u); }
    if (width > 32u) { s += subgroupShuffleXor(s, 32u); }
    if (width > 16u) { s += subgroupShuffleXor(s, 16u); }
    if (width > 8u) { s += subgroupShuffleXor(s, 8u); }
    if (width > 4u) { s += subgroupShuffleXor(s, 4u); }
    if (width > 2u) { s += subgroupShuffleXor(s, 2u); }
    if (width > 1u) { s += subgroupShuffleXor(s, 1u); }
    return s;
}

/* The sum of LANES neighbours. */
fn lanes_sum(value: f32, thread: u32) -> f32 {
    let s = subgroup_sum(value, min(LANES, PART));
    if (LANES > PART) { return sum_of_parts(s, thread); }
    return s;
}

/* The sum of the parts of LANES neighbours, each of which a part's threads hold. */
fn sum_of_parts(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    if (thread % PART == 0u) { shares[thread / PART] = value; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < LANES / PART; i++) { sum += shares[thread / LANES * (LANES / PART) + i]; }
    return sum;
}

fn all_threads(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    let s = subgroup_sum(value, SUBGROUP);
    if (thread % SUBGROUP == 0u) { shares[thread / SUBGROUP] = s; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < THREADS / SUBGROUP; i++) { sum += shares[i]; }
    return sum;
}

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

// attention/turns.wgsl
/* For each vector of 4 elements: their frequencies as fractions of a turn, in units of 2^-32, then what is left of
   them, in units of 2^-44. */
@group(0) @binding(0) var<storage, read> turns: array<vec4<u32>>;

struct Rates { upper: vec4<u32>, lower: vec4<u32> }
struct Turn { sine: vec4<f32>, cosine: vec4<f32> }

fn rates_of(v: u32) -> Rates { return Rates(turns[2u * v], turns[2u * v + 1u]); }

/* The sines and cosines for 4 elements. The nearest quarter of a turn is taken off exactly; Taylor's polynomials of the
   rest, at most π/4, leave out less than 3e-8. */
fn turn(position: u32, rates: Rates) -> Turn {
    let phase = position * rates.upper + ((position * rates.lower) >> vec4<u32>(12u));
    let quarter = (phase + 0x20000000u) >> vec4<u32>(30u);
    let x = vec4<f32>(bitcast<vec4<i32>>(phase - (quarter << vec4<u32>(30u)))) * 1.4629180792671596e-9;
    let s = x * x;
    let a = x + x * s * (-0.16666667 + s * (0.008333334 + s * (-0.0001984127 + s * 2.7557319e-6)));
    let b = 1.0 - s * (0.5 - s * (0.041666668 - s * (0.0013888889 - s * 2.4801587e-5)));
    let is_odd = (quarter & vec4<u32>(1u)) == vec4<u32>(1u);
    let sign = select(vec4<f32>(1.0), vec4<f32>(-1.0), quarter >= vec4<u32>(2u));
    return Turn(sign * select(a, b, is_odd), sign * select(b, -a, is_odd));
}

// attention/vectors.wgsl
/* What a lane has of a head: a vector of each half. */
struct Vectors { a: vec4<f32>, b: vec4<f32> }

// attention/rotated-halves.wgsl

/* A vector of each half of a head, whose elements are pairs, turned by their angles. */
fn rotated(p: Vectors, first: Turn, second: Turn) -> Vectors {
    return Vectors(p.a * first.cosine - p.b * first.sine, p.b * first.cosine + p.a * first.sine);
}

// attention/heads-plain.wgsl

const IS_NORMED = false;

fn weight_of(v: u32, is_key: bool) -> vec4<f32> { return vec4<f32>(1.0); }
fn normed(x: vec4<f32>, squares: f32, weight: vec4<f32>) -> vec4<f32> { return x; }

// attention/decode-attention.wgsl
/* The query heads of a workgroup, and the rows of a team in a chunk. */
const HEADS: u32 = 1u;
const PER_TEAM: u32 = 1u;
override SPLITS: u32 = 16u;

@group(0) @binding(1) var<storage, read_write> partials: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> key_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> value_cache: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> cursor: array<u32>;
@group(0) @binding(5) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> values: array<vec4<f32>>;

const NO_SCORE = -3.0e38;

/* The vectors of half a head. LANES neighbours hold a head, of each half a vector; they are a team. */
const HALF = WIDTH / 2u;
const TEAMS = THREADS / LANES;
/* The rows of a cache that a workgroup reads at a time. */
const CHUNK = 32u;

var<workgroup> sums: array<vec4<f32>, TEAMS * WIDTH>;
/* The largest score of each team, and its sum of weights. */
var<workgroup> ends: array<vec2<f32>, TEAMS>;

fn normed_both(p: Vectors, squares: f32, weight: Vectors) -> Vectors {
    return Vectors(normed(p.a, squares, weight.a), normed(p.b, squares, weight.b));
}

/* The product of two heads. */
fn team_sum(p: Vectors, q: Vectors, thread: u32) -> f32 {
    let is_idle = LANES > HALF && thread % LANES >= HALF;
    return lanes_sum(select(dot(p.a, q.a) + dot(p.b, q.b), 0.0, is_idle), thread);
}

/* The first vector of a lane in a row of a cache. */
fn cached(row: u32, kv_head: u32, c: u32) -> u32 {
    return (min(row, CACHE_ROWS - 1u) * KV_HEADS + kv_head) * WIDTH + c;
}

/* Whether the query sees what a row of a cache holds: a position before its own. What it does not see may be of an
   earlier sequence, even NaN. */
fn sees(row: u32, own_row: u32, position: u32) -> bool {
    let back = select(own_row + CACHE_ROWS, own_row, row < own_row) - row;
    return row != own_row && row < CACHE_ROWS && back < REACH && back <= position;
}

/* What a lane has of the query heads of the workgroup. */
struct Queries {
    head_0: Vectors,
}
/* What a team gathered for each query head: the largest score, the sum of the weights, and that of the values. */
struct Gathered {
    most_0: f32, total_0: f32, sum_0: Vectors,
}
/* What a lane has of the rows of its team in a chunk. */
struct Rows {
    key_0: Vectors, value_0: Vectors,
}

fn scaled(p: Vectors, by: f32) -> Vectors { return Vectors(by * p.a, by * p.b); }

fn added(sum: Vectors, weight: f32, value: Vectors) -> Vectors {
    return Vectors(sum.a + weight * value.a, sum.b + weight * value.b);
}

fn rows_of(chunk: u32, team: u32, kv_head: u32, c: u32) -> Rows {
    let at_0 = cached(chunk + team + 0u * TEAMS, kv_head, c);
    var rows: Rows;
    rows.key_0 = Vectors(key_cache[at_0], key_cache[at_0 + HALF]);
    rows.value_0 = Vectors(value_cache[at_0], value_cache[at_0 + HALF]);
    return rows;
}

/* The scores of the rows of a chunk, and the sums with their values. */
fn gather(
    before: Gathered, turned: Queries, rows: Rows, first: u32, own_row: u32, position: u32, thread: u32
) -> Gathered {
    let is_seen_0 = sees(first + 0u * TEAMS, own_row, position);
    let score_0_0 = select(NO_SCORE, team_sum(turned.head_0, rows.key_0, thread), is_seen_0);
    var all = before;
    all.most_0 = max(all.most_0, score_0_0);
    let shrink_0 = exp(before.most_0 - all.most_0);
    all.total_0 *= shrink_0;
    all.sum_0 = scaled(all.sum_0, shrink_0);
    let weight_0_0 = exp(score_0_0 - all.most_0);
    if (is_seen_0) { all.total_0 += weight_0_0; all.sum_0 = added(all.sum_0, weight_0_0, rows.value_0); }
    return all;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let split = group.x;
    let head = group.y * HEADS;
    let kv_head = head / GROUP;
    let team = thread / LANES;
    let c = min(thread % LANES, HALF - 1u);

    /* These wait for memory together. */
    var chunk = split * CHUNK;
    let rows = rows_of(chunk, team, kv_head, c);
    let query_at_0 = (head + 0u) * WIDTH + c;
    let query_0 = Vectors(queries[query_at_0], queries[query_at_0 + HALF]);
    let key_at = kv_head * WIDTH + c;
    var key = Vectors(keys[key_at], keys[key_at + HALF]);
    let value = Vectors(values[key_at], values[key_at + HALF]);
    let query_weight = Vectors(weight_of(c, false), weight_of(c + HALF, false));
    let key_weight = Vectors(weight_of(c, true), weight_of(c + HALF, true));
    let rates = rates_of(c);
    let more_rates = rates_of(c + HALF);
    let position = cursor[0];
    /* Keeps compilers from loading the rows later. */
    workgroupBarrier();

    let first = turn(position, rates);
    let second = turn(position, more_rates);
    if (IS_NORMED) {
        let square = team_sum(key, key, thread);
        key = normed_both(key, square, key_weight);
    }
    key = rotated(key, first, second);
    var turned: Queries;
    turned.head_0 = query_0;
    if (IS_NORMED) {
        let square_0 = team_sum(query_0, query_0, thread);
        turned.head_0 = normed_both(query_0, square_0, query_weight);
    }
    turned.head_0 = rotated(turned.head_0, first, second);
    turned.head_0 = scaled(turned.head_0, SCALE);

    /* The own position is not in the caches yet: one team begins with it. */
    let own_row = position % CACHE_ROWS;
    let is_own = team == 0u && split == own_row / CHUNK % SPLITS;
    if (is_own && head % GROUP == 0u && thread < HALF) {
        let own = cached(own_row, kv_head, c);
        key_cache[own] = key.a;
        key_cache[own + HALF] = key.b;
        value_cache[own] = value.a;
        value_cache[own + HALF] = value.b;
    }
    var all: Gathered;
    all.most_0 = select(NO_SCORE, team_sum(turned.head_0, key, thread), is_own);
    all.total_0 = select(0.0, 1.0, is_own);
    all.sum_0 = Vectors(select(vec4<f32>(), value.a, is_own), select(vec4<f32>(), value.b, is_own));
    all = gather(all, turned, rows, chunk + team, own_row, position, thread);
    for (chunk += SPLITS * CHUNK; chunk < min(position, CACHE_ROWS); chunk += SPLITS * CHUNK) {
        all = gather(all, turned, rows_of(chunk, team, kv_head, c), chunk + team, own_row, position, thread);
    }
    store(head + 0u, split, thread, all.sum_0, all.most_0, all.total_0);
}

/* Adds up the teams of a head. */
fn store(head: u32, split: u32, thread: u32, sum: Vectors, most: f32, total: f32) {
    let team = thread / LANES;
    let lane = thread % LANES;
    workgroupBarrier();
    if (lane < HALF) {
        sums[team * WIDTH + lane] = sum.a;
        sums[team * WIDTH + HALF + lane] = sum.b;
    }
    if (lane == 0u) { ends[team] = vec2<f32>(most, total); }
    workgroupBarrier();
    if (thread < WIDTH) {
        var largest = NO_SCORE;
        for (var t = 0u; t < TEAMS; t++) { largest = max(largest, ends[t].x); }
        var all = vec4<f32>();
        var all_weights = 0.0;
        for (var t = 0u; t < TEAMS; t++) {
            let share = exp(ends[t].x - largest);
            all += share * sums[t * WIDTH + thread];
            all_weights += share * ends[t].y;
        }
        let at = (head * SPLITS + split) * (WIDTH + 1u);
        partials[at + thread] = all;
        if (thread == 0u) { partials[at + WIDTH] = vec4<f32>(largest, all_weights, 0.0, 0.0); }
    }
}
