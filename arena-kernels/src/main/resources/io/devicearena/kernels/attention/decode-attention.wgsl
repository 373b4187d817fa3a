//! use LANE_SUMS: step/lanes-in-memory
//! use attention/shape
//! use attention/turns
//! use attention/vectors
//! use ROTATION: attention/rotated-halves
//! use HEADS: attention/heads-plain
/* The query heads of a workgroup, and the rows of a team in a chunk. */
const HEADS: u32 = 1u;
const HEAD: u32 = 0u; //! repeat HEADS
const PER_TEAM: u32 = 1u;
const ROW: u32 = 0u; //! repeat PER_TEAM
override SPLITS: u32 = 1u;

@group(0) @binding(0) var<storage, read_write> partials: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> key_cache: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> value_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> cursor: array<u32>;
@group(0) @binding(4) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;

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
    head_HEAD: Vectors,
}
/* What a team gathered for each query head: the largest score, the sum of the weights, and that of the values. */
struct Gathered {
    most_HEAD: f32, total_HEAD: f32, sum_HEAD: Vectors,
}
/* What a lane has of the rows of its team in a chunk. */
struct Rows {
    key_ROW: Vectors, value_ROW: Vectors,
}

fn scaled(p: Vectors, by: f32) -> Vectors { return Vectors(by * p.a, by * p.b); }

fn added(sum: Vectors, weight: f32, value: Vectors) -> Vectors {
    return Vectors(sum.a + weight * value.a, sum.b + weight * value.b);
}

fn rows_of(chunk: u32, team: u32, kv_head: u32, c: u32) -> Rows {
    let at_ROW = cached(chunk + team + ROW * TEAMS, kv_head, c);
    var rows: Rows;
    rows.key_ROW = Vectors(key_cache[at_ROW], key_cache[at_ROW + HALF]);
    rows.value_ROW = Vectors(value_cache[at_ROW], value_cache[at_ROW + HALF]);
    return rows;
}

/* The scores of the rows of a chunk, and the sums with their values. */
fn gather(
    before: Gathered, turned: Queries, rows: Rows, first: u32, own_row: u32, position: u32, thread: u32
) -> Gathered {
    let is_seen_ROW = sees(first + ROW * TEAMS, own_row, position);
    let score_HEAD_ROW = select(NO_SCORE, team_sum(turned.head_HEAD, rows.key_ROW, thread), is_seen_ROW);
    var all = before;
    all.most_HEAD = max(all.most_HEAD, score_HEAD_ROW);
    let shrink_HEAD = exp(before.most_HEAD - all.most_HEAD);
    all.total_HEAD *= shrink_HEAD;
    all.sum_HEAD = scaled(all.sum_HEAD, shrink_HEAD);
    let weight_HEAD_ROW = exp(score_HEAD_ROW - all.most_HEAD);
    if (is_seen_ROW) { all.total_HEAD += weight_HEAD_ROW; all.sum_HEAD = added(all.sum_HEAD, weight_HEAD_ROW, rows.value_ROW); }
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
    let query_at_HEAD = (head + HEAD) * WIDTH + c;
    let query_HEAD = Vectors(queries[query_at_HEAD], queries[query_at_HEAD + HALF]);
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
    turned.head_HEAD = query_HEAD;
    if (IS_NORMED) {
        let square_HEAD = team_sum(query_HEAD, query_HEAD, thread);
        turned.head_HEAD = normed_both(query_HEAD, square_HEAD, query_weight);
    }
    turned.head_HEAD = rotated(turned.head_HEAD, first, second);
    turned.head_HEAD = scaled(turned.head_HEAD, SCALE);

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
    all.most_HEAD = select(NO_SCORE, team_sum(turned.head_HEAD, key, thread), is_own);
    all.total_HEAD = select(0.0, 1.0, is_own);
    all.sum_HEAD = Vectors(select(vec4<f32>(), value.a, is_own), select(vec4<f32>(), value.b, is_own));
    all = gather(all, turned, rows, chunk + team, own_row, position, thread);
    for (chunk += SPLITS * CHUNK; chunk < min(position, CACHE_ROWS); chunk += SPLITS * CHUNK) {
        all = gather(all, turned, rows_of(chunk, team, kv_head, c), chunk + team, own_row, position, thread);
    }
    store(head + HEAD, split, thread, all.sum_HEAD, all.most_HEAD, all.total_HEAD);
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
