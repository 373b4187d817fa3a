//! use attention/shape
//! use attention/turns
//! use attention/raw
//! use PAIRS: attention/pairs-of-halves
//! use HEADS: attention/heads-plain

@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> queries: array<vec4<f32>>;

@group(0) @binding(2) var<storage, read_write> key_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> value_cache: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> cursor: array<u32>;
@group(0) @binding(5) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> values: array<vec4<f32>>;

var<workgroup> squares: array<f32, 64>;
var<workgroup> here: vec2<u32>;

/* A head of a row: first those of the queries, then those of the keys with their values. */
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) v: u32) {
    if (v == 0u) { here = vec2<u32>(cursor[0], cursor[1]); }
    let cursor_words = workgroupUniformLoad(&here);
    let row = group.y;
    if (row >= cursor_words.y) { return; }
    let position = cursor_words.x + row;
    let is_key = group.x >= KV_HEADS * GROUP;
    let kv_head = group.x - KV_HEADS * GROUP;
    let query_at = (row * KV_HEADS * GROUP + group.x) * WIDTH + v;
    let key_at = (row * KV_HEADS + kv_head) * WIDTH + v;
    var x = vec4<f32>();
    if (v < WIDTH) {
        if (is_key) { x = keys[key_at]; } else { x = queries[query_at]; }
    }
    if (IS_NORMED) {
        squares[v] = dot(x, x);
        workgroupBarrier();
        for (var half = 32u; half > 0u; half /= 2u) {
            if (v < half) { squares[v] += squares[v + half]; }
            workgroupBarrier();
        }
    }
    if (v < WIDTH) { raw[v] = normed(x, squares[0], weight_of(v, is_key)); }
    workgroupBarrier();
    if (v >= WIDTH) { return; }
    let t = turn(position, rates_of(v));
    let rotated = raw[v] * t.cosine + partners(0u, v) * t.sine;
    if (is_key) {
        let cached = (position % CACHE_ROWS * KV_HEADS + kv_head) * WIDTH + v;
        key_cache[cached] = rotated;
        value_cache[cached] = values[key_at];
    } else {
        out[query_at] = rotated;
    }
}
