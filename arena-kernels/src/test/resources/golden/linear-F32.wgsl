// linear

// linear/tokens-of-cursor.wgsl
@group(0) @binding(0) var<storage, read> cursor: array<u32>;

fn valid_tokens() -> u32 { return cursor[1]; }

// linear/input.wgsl
/* The vectors of a row, and the most rows. */
override WIDTH: u32 = 256u;
override TOKENS: u32 = 1u;
override THREADS: u32 = 256u;

@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;

fn input(token: u32, c: u32) -> vec4<f32> { return x[min(token, TOKENS - 1u) * WIDTH + c]; }

// linear/square-memory.wgsl
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

// linear/part.wgsl, _M is _0
/* The rows of the matrix, and the groups of workgroups that multiply it. */
override ROWS_0: u32 = 4096u;
override FIRST_GROUP_0: u32 = 0u;
override END_GROUP_0: u32 = 64u;

@group(0) @binding(2) var<storage, read> bias_0: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> out_0: array<vec4<f32>>;

// linear/weight-f32.wgsl, _M is _0
@group(0) @binding(4) var<storage, read> words_0: array<vec4<f32>>;
const first_words_0: u32 = 0u; //! job

fn weight_0(row: u32, c: u32) -> vec4<f32> { return words_0[first_words_0 / 4u + min(row, ROWS_0 - 1u) * WIDTH + c]; }

// activation/gelu_erf.wgsl, _M is _0
fn activation_0(x: f32) -> f32 {
    let a = abs(x) * 0.7071067811865476;
    let t = 1.0 / (1.0 + 0.3275911 * a);
    let p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    return 0.5 * x * (1.0 + sign(x) * (1.0 - p * exp(-a * a)));
}

// linear/activation.wgsl, _M is _0

fn activated_0(v: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(activation_0(v.x), activation_0(v.y), activation_0(v.z), activation_0(v.w));
}

// linear/nothing-added.wgsl, _M is _0
fn with_added_0(v: vec4<f32>, at: u32) -> vec4<f32> { return v; }

// linear/finish.wgsl, _M is _0

/* Stores 4 elements of a token. */
fn finish_0(token: u32, row: u32, sum: vec4<f32>) {
    if (token < TOKENS && row < ROWS_0) {
        let at = token * (ROWS_0 / 4u) + row / 4u;
        out_0[at] = with_added_0(activated_0(sum + bias_0[row / 4u]), at);
    }
}

// linear/squares.wgsl, _M is _0

fn weight_or_zero_0(row: u32, c: u32) -> vec4<f32> {
    if (c >= WIDTH) { return vec4<f32>(); }
    return weight_0(row, c);
}

/* B by B blocks of 4 tokens by 4 rows for each thread. What it loads next waits for nothing. */
fn block_0(row: u32, token: u32, thread: u32) {
    let a = thread % SIDE;
    let b = thread / SIDE;
    let r = thread % TILE;
    let q = thread / TILE;
    var s_0_0_0 = vec4<f32>();
    var s_0_1_0 = vec4<f32>();
    var s_0_2_0 = vec4<f32>();
    var s_0_3_0 = vec4<f32>();
    var x_0 = input_or_zero(token + r, q + 0u * STEP);
    var w_0 = weight_or_zero_0(row + r, q + 0u * STEP);
    for (var k = 4u; k < WIDTH + 4u; k += 4u) {
        workgroupBarrier();
        put_input(r, q + 0u * STEP, x_0);
        put_weights(r, q + 0u * STEP, w_0);
        workgroupBarrier();
        x_0 = input_or_zero(token + r, k + q + 0u * STEP);
        w_0 = weight_or_zero_0(row + r, k + q + 0u * STEP);
        for (var j = 0u; j < DEPTH; j++) {
            let u_0 = weights[j * (TILE / 4u) + 0u * SIDE + a];
            let v_0 = inputs[j * (TILE / 4u) + 0u * SIDE + b];
            s_0_0_0 += v_0[0u] * u_0;
            s_0_1_0 += v_0[1u] * u_0;
            s_0_2_0 += v_0[2u] * u_0;
            s_0_3_0 += v_0[3u] * u_0;
        }
    }
    finish_0(token + 0u * (4u * SIDE) + b * 4u + 0u, row + 0u * (4u * SIDE) + a * 4u, s_0_0_0);
    finish_0(token + 0u * (4u * SIDE) + b * 4u + 1u, row + 0u * (4u * SIDE) + a * 4u, s_0_1_0);
    finish_0(token + 0u * (4u * SIDE) + b * 4u + 2u, row + 0u * (4u * SIDE) + a * 4u, s_0_2_0);
    finish_0(token + 0u * (4u * SIDE) + b * 4u + 3u, row + 0u * (4u * SIDE) + a * 4u, s_0_3_0);
}

// linear/part.wgsl, _M is _1
/* The rows of the matrix, and the groups of workgroups that multiply it. */
override ROWS_1: u32 = 4096u;
override FIRST_GROUP_1: u32 = 64u;
override END_GROUP_1: u32 = 128u;

@group(0) @binding(5) var<storage, read> bias_1: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> out_1: array<vec4<f32>>;

// linear/weight-f32.wgsl, _M is _1
@group(0) @binding(7) var<storage, read> words_1: array<vec4<f32>>;
const first_words_1: u32 = 0u; //! job

fn weight_1(row: u32, c: u32) -> vec4<f32> { return words_1[first_words_1 / 4u + min(row, ROWS_1 - 1u) * WIDTH + c]; }

// linear/no-activation.wgsl, _M is _1
fn activated_1(v: vec4<f32>) -> vec4<f32> { return v; }

// linear/added.wgsl, _M is _1
@group(0) @binding(8) var<storage, read> added_1: array<vec4<f32>>;

fn with_added_1(v: vec4<f32>, at: u32) -> vec4<f32> { return v + added_1[at]; }

// linear/finish.wgsl, _M is _1

/* Stores 4 elements of a token. */
fn finish_1(token: u32, row: u32, sum: vec4<f32>) {
    if (token < TOKENS && row < ROWS_1) {
        let at = token * (ROWS_1 / 4u) + row / 4u;
        out_1[at] = with_added_1(activated_1(sum + bias_1[row / 4u]), at);
    }
}

// linear/squares.wgsl, _M is _1

fn weight_or_zero_1(row: u32, c: u32) -> vec4<f32> {
    if (c >= WIDTH) { return vec4<f32>(); }
    return weight_1(row, c);
}

/* B by B blocks of 4 tokens by 4 rows for each thread. What it loads next waits for nothing. */
fn block_1(row: u32, token: u32, thread: u32) {
    let a = thread % SIDE;
    let b = thread / SIDE;
    let r = thread % TILE;
    let q = thread / TILE;
    var s_0_0_0 = vec4<f32>();
    var s_0_1_0 = vec4<f32>();
    var s_0_2_0 = vec4<f32>();
    var s_0_3_0 = vec4<f32>();
    var x_0 = input_or_zero(token + r, q + 0u * STEP);
    var w_0 = weight_or_zero_1(row + r, q + 0u * STEP);
    for (var k = 4u; k < WIDTH + 4u; k += 4u) {
        workgroupBarrier();
        put_input(r, q + 0u * STEP, x_0);
        put_weights(r, q + 0u * STEP, w_0);
        workgroupBarrier();
        x_0 = input_or_zero(token + r, k + q + 0u * STEP);
        w_0 = weight_or_zero_1(row + r, k + q + 0u * STEP);
        for (var j = 0u; j < DEPTH; j++) {
            let u_0 = weights[j * (TILE / 4u) + 0u * SIDE + a];
            let v_0 = inputs[j * (TILE / 4u) + 0u * SIDE + b];
            s_0_0_0 += v_0[0u] * u_0;
            s_0_1_0 += v_0[1u] * u_0;
            s_0_2_0 += v_0[2u] * u_0;
            s_0_3_0 += v_0[3u] * u_0;
        }
    }
    finish_1(token + 0u * (4u * SIDE) + b * 4u + 0u, row + 0u * (4u * SIDE) + a * 4u, s_0_0_0);
    finish_1(token + 0u * (4u * SIDE) + b * 4u + 1u, row + 0u * (4u * SIDE) + a * 4u, s_0_1_0);
    finish_1(token + 0u * (4u * SIDE) + b * 4u + 2u, row + 0u * (4u * SIDE) + a * 4u, s_0_2_0);
    finish_1(token + 0u * (4u * SIDE) + b * 4u + 3u, row + 0u * (4u * SIDE) + a * 4u, s_0_3_0);
}

// linear/linear.wgsl
/* A linear layer: up to three matrices, a group of rows each. */
const PARTS: u32 = 2u;
override TILE_ROWS: u32 = 64u;
override TILE_TOKENS: u32 = 64u;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let token = group.y * TILE_TOKENS;
    if (token >= valid_tokens()) { return; }
    let g = group.x;
    if (g >= FIRST_GROUP_0 && g < END_GROUP_0) { block_0((g - FIRST_GROUP_0) * TILE_ROWS, token, thread); }
    if (g >= FIRST_GROUP_1 && g < END_GROUP_1) { block_1((g - FIRST_GROUP_1) * TILE_ROWS, token, thread); }
}
