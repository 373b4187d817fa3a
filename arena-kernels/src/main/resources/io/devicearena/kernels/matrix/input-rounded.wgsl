//! use matrix/columns
@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>;
const first_x: u32 = 0u; //! job

/* Rows of bytes with a sign, and behind all of them a scale for each 32 columns. */
override SCALES: u32 = 64u;

fn prepare(token: u32, thread: u32, is_first: bool) {}

fn eight_bytes(token: u32, e: u32) -> vec2<u32> { return x[first_x / 2u + token * (COLUMNS / 8u) + e]; }

fn scale_of_block(token: u32, block: u32) -> f32 {
    let word = token * (COLUMNS / 32u) + block;
    return bitcast<f32>(x[(first_x + SCALES) / 2u + word / 2u][word % 2u]);
}

/* Of two blocks, the first of which has an even number. */
fn scales_of_blocks(token: u32, pair: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(x[(first_x + SCALES) / 2u + token * (COLUMNS / 64u) + pair]);
}

fn product8(p: vec2<u32>, q: vec2<u32>) -> i32 { return dot4I8Packed(p.x, q.x) + dot4I8Packed(p.y, q.y); }

fn product16(p: vec4<u32>, q: vec4<u32>) -> f32 { return f32(product8(p.xy, q.xy) + product8(p.zw, q.zw)); }
