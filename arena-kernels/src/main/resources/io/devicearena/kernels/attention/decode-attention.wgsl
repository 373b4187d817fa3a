@group(0) @binding(0) var<storage, read_write> partials: array<f32>;
@group(0) @binding(1) var<storage, read_write> key_cache: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> value_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> cursor: array<u32>;
@group(0) @binding(4) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;

const NO_SCORE = -3.0e38;

/* The query heads of the workgroup, then the key: normed, then rotated. At the end raw adds up the slices. */
var<workgroup> raw: array<vec4<f32>, RAW>;
var<workgroup> ready: array<vec4<f32>, (HEADS + 1u) * WIDTH>;
/* For each head, 32 positions. */
var<workgroup> scores: array<f32, HEADS * 32u>;
var<workgroup> weights: array<f32, HEADS * 32u>;
var<workgroup> largest: array<f32, HEADS>;
var<workgroup> here: u32;

alias Keys = array<vec4<f32>, PER_LANE>;
alias Values = array<vec4<f32>, PER_SLICE>;

fn cached(p: u32, kv_head: u32) -> u32 { return (p % CACHE_ROWS * KV_HEADS + kv_head) * WIDTH; }

fn is_column(lane: u32, j: u32) -> bool { return 8u * j + 8u <= WIDTH || 8u * j + lane < WIDTH; }

/* Eight neighbours read a key of the past. */
fn keys_at(p: u32, position: u32, kv_head: u32, lane: u32) -> Keys {
    var k: Keys;
    if (p < position) {
        let at = cached(p, kv_head) + lane;
        for (var j = 0u; j < PER_LANE; j++) {
            if (is_column(lane, j)) { k[j] = key_cache[at + 8u * j]; }
        }
    }
    return k;
}

/* A slice reads every SLICES-th value of 32, and WIDTH neighbours read a value. */
fn values_from(first: u32, position: u32, kv_head: u32, v: u32, slice: u32) -> Values {
    var all: Values;
    for (var i = 0u; i < PER_SLICE; i++) {
        let n = slice + i * SLICES;
        if (n < 32u && first + n < position) { all[i] = value_cache[cached(first + n, kv_head) + v]; }
        if (n < 32u && first + n == position) { all[i] = values[kv_head * WIDTH + v]; }
    }
    return all;
}

/* Where the result of a head and a split begins. */
fn partial_at(head: u32, split: u32) -> u32 { return (head * SPLITS + split) * (4u * WIDTH + 2u); }

/* The result of a split without positions. */
fn write_none(head: u32, split: u32, thread: u32) {
    for (var h = 0u; h < HEADS; h++) {
        let at = partial_at(head + h, split);
        for (var c = thread; c < 4u * WIDTH + 2u; c += 256u) { partials[at + c] = select(0.0, NO_SCORE, c == 4u * WIDTH); }
    }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let split = group.x;
    let head = group.y * HEADS;
    let kv_head = head / GROUP;
    let lane = thread % 8u;
    let slot = thread / 8u;
    let v = thread % WIDTH;
    let slice = thread / WIDTH;

    /* Eight threads have a head. */
    let is_key = slot == HEADS;
    var own: Keys;
    if (slot <= HEADS) {
        for (var j = 0u; j < PER_LANE; j++) {
            if (is_column(lane, j)) {
                if (is_key) {
                    own[j] = keys[kv_head * WIDTH + lane + 8u * j];
                } else {
                    own[j] = queries[(head + slot) * WIDTH + lane + 8u * j];
                }
            }
        }
    }
    if (thread == 0u) { here = cursor[0]; }
    let position = workgroupUniformLoad(&here);
    let first = max(position + 1u, REACH) - REACH;
    let end = position + 1u;
    var chunk = first + split * 32u;
    if (chunk >= end) {
        write_none(head, split, thread);
        return;
    }

    /* These wait for memory together with the heads. */
    var k = keys_at(chunk + slot, position, kv_head, lane);
    var some = values_from(chunk, position, kv_head, v, slice);

    var squares = 0.0;
    if (IS_NORMED) {
        for (var j = 0u; j < PER_LANE; j++) { squares += dot(own[j], own[j]); }
        squares = sum_of_eight(squares, thread);
    }
    if (slot <= HEADS) {
        for (var j = 0u; j < PER_LANE; j++) {
            if (is_column(lane, j)) {
                raw[slot * WIDTH + lane + 8u * j] = normed(own[j], squares, lane + 8u * j, is_key);
            }
        }
    }
    workgroupBarrier();
    for (var e = thread; e < (HEADS + 1u) * WIDTH; e += 256u) {
        let c = e % WIDTH;
        let scale = select(1.0, SCALE, e < HEADS * WIDTH);
        ready[e] = scale * rotated_at(e - c, c, position);
    }
    workgroupBarrier();
    if (split == (position - first) / 32u % SPLITS && head % GROUP == 0u && thread < WIDTH) {
        key_cache[cached(position, kv_head) + thread] = ready[HEADS * WIDTH + thread];
        value_cache[cached(position, kv_head) + thread] = values[kv_head * WIDTH + thread];
    }

    var most = NO_SCORE;
    var mosts: array<f32, HEADS>;
    var sums: array<vec4<f32>, HEADS>;
    var totals: array<f32, HEADS>;
    for (var h = 0u; h < HEADS; h++) { mosts[h] = NO_SCORE; }
    for (; chunk < end; chunk += SPLITS * 32u) {
        let p = chunk + slot;
        var s = array<f32, HEADS>();
        for (var j = 0u; j < PER_LANE; j++) {
            if (is_column(lane, j)) {
                let c = lane + 8u * j;
                var key = k[j];
                if (p == position) { key = ready[HEADS * WIDTH + c]; }
                for (var h = 0u; h < HEADS; h++) { s[h] += dot(key, ready[h * WIDTH + c]); }
            }
        }
        for (var h = 0u; h < HEADS; h++) {
            let score = sum_of_eight(s[h], thread);
            if (lane == h) { scores[h * 32u + slot] = select(NO_SCORE, score, p < end); }
        }
        let next = chunk + SPLITS * 32u;
        k = keys_at(next + slot, position, kv_head, lane);
        workgroupBarrier();
        if (thread < HEADS * 32u) {
            let row = thread / 32u * 32u;
            for (var n = 0u; n < 32u; n++) { most = max(most, scores[row + n]); }
            weights[thread] = exp(scores[thread] - most);
            if (thread == row) { largest[thread / 32u] = most; }
        }
        workgroupBarrier();
        for (var h = 0u; h < HEADS; h++) {
            let shrink = exp(mosts[h] - largest[h]);
            mosts[h] = largest[h];
            sums[h] *= shrink;
            totals[h] *= shrink;
            for (var i = 0u; i < PER_SLICE; i++) {
                let n = slice + i * SLICES;
                if (n < 32u) {
                    let weight = weights[h * 32u + n];
                    sums[h] += weight * some[i];
                    totals[h] += weight;
                }
            }
        }
        some = values_from(next, position, kv_head, v, slice);
    }

    for (var h = 0u; h < HEADS; h++) {
        workgroupBarrier();
        if (slice < SLICES) {
            raw[thread] = sums[h];
            if (v == 0u) { scores[slice] = totals[h]; }
        }
        workgroupBarrier();
        if (thread < WIDTH) {
            let at = partial_at(head + h, split);
            var sum = raw[thread];
            for (var i = 1u; i < SLICES; i++) { sum += raw[i * WIDTH + thread]; }
            for (var c = 0u; c < 4u; c++) { partials[at + 4u * thread + c] = sum[c]; }
            if (thread == 0u) {
                var total = 0.0;
                for (var i = 0u; i < SLICES; i++) { total += scores[i]; }
                partials[at + 4u * WIDTH] = mosts[h];
                partials[at + 4u * WIDTH + 1u] = total;
            }
        }
    }
}
