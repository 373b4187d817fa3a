@group(0) @binding(0) var<storage, read_write> partials: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> key_cache: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> value_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> cursor: array<u32>;
@group(0) @binding(4) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;

const NO_SCORE = -3.0e38;

/* The vectors of the query heads of the workgroup, then those of the key. */
const OWN = (HEADS + 1u) * WIDTH;

/* As read, then normed; at the end it adds up the slices. */
var<workgroup> raw: array<vec4<f32>, RAW>;
var<workgroup> squares: array<f32, HEADS + 1u>;
/* Rotated too; the queries are scaled. */
var<workgroup> ready: array<vec4<f32>, OWN>;
/* For each head, 32 positions. */
var<workgroup> scores: array<f32, HEADS * 32u>;
var<workgroup> weights: array<f32, HEADS * 32u>;
var<workgroup> largest: array<f32, HEADS>;
var<workgroup> totals: array<f32, SLICES>;
var<workgroup> here: u32;

fn cached(p: u32, kv_head: u32) -> u32 { return (p % CACHE_ROWS * KV_HEADS + kv_head) * WIDTH; }

fn own_vector(e: u32, head: u32, kv_head: u32) -> vec4<f32> {
    if (e < HEADS * WIDTH) { return queries[head * WIDTH + e]; }
    return keys[kv_head * WIDTH + min(e - HEADS * WIDTH, WIDTH - 1u)];
}

fn put(e: u32, v: vec4<f32>) {
    if (e < OWN) { raw[e] = v; }
}

fn rotate(e: u32, position: u32, rates: Rates) {
    if (e < OWN) {
        let c = e % WIDTH;
        let t = turn(position, rates);
        ready[e] = select(1.0, SCALE, e < HEADS * WIDTH) * (raw[e] * t.cosine + partners(e - c, c) * t.sine);
    }
}

/* A vector of a key of the past, else zero. */
fn key_part(p: u32, position: u32, kv_head: u32, c: u32) -> vec4<f32> {
    let is_past = p < position && c < WIDTH;
    return select(vec4<f32>(), key_cache[select(0u, cached(p, kv_head) + c, is_past)], is_past);
}

/* A vector of a value of the past, else the last one. */
fn value_part(n: u32, chunk: u32, position: u32, kv_head: u32, v: u32, last: vec4<f32>) -> vec4<f32> {
    let is_past = n < 32u && chunk + n < position;
    return select(last, value_cache[select(0u, cached(chunk + n, kv_head) + v, is_past)], is_past);
}

/* Where the result of a head and a split begins. */
fn partial_at(head: u32, split: u32) -> u32 { return (head * SPLITS + split) * (WIDTH + 1u); }

/* The result of a split without positions. */
fn write_none(head: u32, split: u32, thread: u32) {
    if (thread <= WIDTH) {
        partials[partial_at(head, split) + thread] = select(vec4<f32>(), vec4<f32>(NO_SCORE, 0.0, 0.0, 0.0), thread == WIDTH);
    }
}

/* The threads share the vectors of the heads and the key; E counts those of each. Eight threads have a position; J
   counts the vectors of each. WIDTH threads have every SLICES-th value of 32; I counts the values of each. Q counts the
   query heads. */
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let split = group.x;
    let head = group.y * HEADS;
    let kv_head = head / GROUP;
    let lane = thread % 8u;
    let slot = thread / 8u;
    let v = thread % WIDTH;
    let slice = thread / WIDTH;
    let e#E = thread + #Eu * 256u;
    let c#J = lane + 8u * #Ju;
    let n#I = slice + #Iu * SLICES;

    /* These wait for memory together. */
    if (thread == 0u) { here = cursor[0]; }
    let own#E = own_vector(e#E, head, kv_head);
    let weight#E = weight_of(e#E % WIDTH, e#E >= HEADS * WIDTH);
    let rates#E = rates_of(e#E % WIDTH);
    let last = values[kv_head * WIDTH + v];
    let position = workgroupUniformLoad(&here);
    let first = max(position + 1u, REACH) - REACH;
    let end = position + 1u;
    var chunk = first + split * 32u;
    if (chunk >= end) {
        write_none(head + #Qu, split, thread);
        return;
    }
    var k#J = key_part(chunk + slot, position, kv_head, c#J);
    var some#I = value_part(n#I, chunk, position, kv_head, v, last);

    put(e#E, own#E);
    workgroupBarrier();
    if (IS_NORMED) {
        var sum = 0.0;
        if (slot <= HEADS) {
            for (var c = lane; c < WIDTH; c += 8u) { sum += dot(raw[slot * WIDTH + c], raw[slot * WIDTH + c]); }
        }
        sum = sum_of_eight(sum, thread);
        if (lane == 0u && slot <= HEADS) { squares[slot] = sum; }
        workgroupBarrier();
        put(e#E, normed(own#E, squares[min(e#E / WIDTH, HEADS)], weight#E));
        workgroupBarrier();
    }
    rotate(e#E, position, rates#E);
    workgroupBarrier();
    if (split == (position - first) / 32u % SPLITS && head % GROUP == 0u && thread < WIDTH) {
        key_cache[cached(position, kv_head) + thread] = ready[HEADS * WIDTH + thread];
        value_cache[cached(position, kv_head) + thread] = last;
    }

    var most = NO_SCORE;
    var most#Q = NO_SCORE;
    var total#Q = 0.0;
    var sum#Q = vec4<f32>();
    for (; chunk < end; chunk += SPLITS * 32u) {
        let p = chunk + slot;
        let r#J = ready[HEADS * WIDTH + min(c#J, WIDTH - 1u)];
        let key#J = select(k#J, r#J, p == position && c#J < WIDTH);
        var s#Q = 0.0;
        s#Q += dot(key#J, ready[#Qu * WIDTH + min(c#J, WIDTH - 1u)]);
        let score#Q = sum_of_eight(s#Q, thread);
        if (lane == #Qu) { scores[#Qu * 32u + slot] = select(NO_SCORE, score#Q, p < end); }
        let next = chunk + SPLITS * 32u;
        k#J = key_part(next + slot, position, kv_head, c#J);
        workgroupBarrier();
        if (thread < HEADS * 32u) {
            let row = thread / 32u * 32u;
            most = max(most, scores[row + #Nu]);
            weights[thread] = exp(scores[thread] - most);
            if (thread == row) { largest[thread / 32u] = most; }
        }
        workgroupBarrier();
        let shrink#Q = exp(most#Q - largest[#Qu]);
        most#Q = largest[#Qu];
        sum#Q *= shrink#Q;
        total#Q *= shrink#Q;
        let weight#Q_#I = select(0.0, weights[#Qu * 32u + min(n#I, 31u)], n#I < 32u);
        sum#Q += weight#Q_#I * some#I;
        total#Q += weight#Q_#I;
        some#I = value_part(n#I, next, position, kv_head, v, last);
    }
    store(head + #Qu, split, thread, sum#Q, most#Q, total#Q);
}

/* Adds up the slices of a head. */
fn store(head: u32, split: u32, thread: u32, sum: vec4<f32>, most: f32, total: f32) {
    let v = thread % WIDTH;
    let slice = thread / WIDTH;
    workgroupBarrier();
    if (slice < SLICES) {
        raw[thread] = sum;
        if (v == 0u) { totals[slice] = total; }
    }
    workgroupBarrier();
    if (thread < WIDTH) {
        let at = partial_at(head, split);
        var all = raw[thread];
        for (var i = 1u; i < SLICES; i++) { all += raw[i * WIDTH + thread]; }
        partials[at + thread] = all;
        if (thread == 0u) {
            var all_weights = 0.0;
            for (var i = 0u; i < SLICES; i++) { all_weights += totals[i]; }
            partials[at + WIDTH] = vec4<f32>(most, all_weights, 0.0, 0.0);
        }
    }
}
