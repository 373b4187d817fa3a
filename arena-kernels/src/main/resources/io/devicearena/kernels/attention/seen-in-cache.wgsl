//! use attention/shape

@group(0) @binding(2) var<storage, read> key_cache: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> value_cache: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> cursor: array<u32>;

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
