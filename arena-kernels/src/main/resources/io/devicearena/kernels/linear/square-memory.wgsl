//! use linear/input
/* The rows and tokens of a square, and the columns that are in memory at a time. */
override TILE: u32 = 64u;
const DEPTH: u32 = 16u;
/* The blocks of 4 by 4 that a thread computes in each direction. */
const SIDES: u32 = 1u;

const SIDE = 16u;
const STEP = THREADS / TILE;
var<workgroup> inputs: array<vec4<f32>, DEPTH * TILE / 4u>;
var<workgroup> weights: array<vec4<f32>, DEPTH * TILE / 4u>;

fn put_input(r: u32, q: u32, v: vec4<f32>) {
    let at = 4u * q * (TILE / 4u) + r / 4u;
    inputs[at][r % 4u] = v.x;
    inputs[at + TILE / 4u][r % 4u] = v.y;
    inputs[at + 2u * (TILE / 4u)][r % 4u] = v.z;
    inputs[at + 3u * (TILE / 4u)][r % 4u] = v.w;
}

fn put_weights(r: u32, q: u32, v: vec4<f32>) {
    let at = 4u * q * (TILE / 4u) + r / 4u;
    weights[at][r % 4u] = v.x;
    weights[at + TILE / 4u][r % 4u] = v.y;
    weights[at + 2u * (TILE / 4u)][r % 4u] = v.z;
    weights[at + 3u * (TILE / 4u)][r % 4u] = v.w;
}

fn input_or_zero(token: u32, c: u32) -> vec4<f32> {
    if (c >= WIDTH) { return vec4<f32>(); }
    return input(token, c);
}
