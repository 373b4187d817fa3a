//! use matrix/tile-sizes
//! use matrix/columns
//! use INPUT: matrix/input-plain
//! use ACTIVATION: activation/silu
/* The vectors of a thread. */
const PER_THREAD: u32 = 16u;
const VECTOR: u32 = 0u; //! repeat PER_THREAD
const DEPTH = 16u;
var<workgroup> inputs: array<vec4<f32>, TEAMS * DEPTH * TILE / 4u>;
var<workgroup> weights: array<vec4<f32>, TEAMS * DEPTH * TILE / 4u>;
alias Elements = array<vec4<f32>, PER_THREAD>;

fn first_token(group: u32) -> u32 { return group * TILE; }
fn first_row(group: u32, thread: u32) -> u32 { return group * TILE; }

fn put_input(r: u32, q: u32, v: vec4<f32>) {
    inputs[(4u * q) * (TILE / 4u) + r / 4u][r % 4u] = v.x;
    inputs[(4u * q + 1u) * (TILE / 4u) + r / 4u][r % 4u] = v.y;
    inputs[(4u * q + 2u) * (TILE / 4u) + r / 4u][r % 4u] = v.z;
    inputs[(4u * q + 3u) * (TILE / 4u) + r / 4u][r % 4u] = v.w;
}

fn put_weights(r: u32, q: u32, v: vec4<f32>) {
    weights[(4u * q) * (TILE / 4u) + r / 4u][r % 4u] = v.x;
    weights[(4u * q + 1u) * (TILE / 4u) + r / 4u][r % 4u] = v.y;
    weights[(4u * q + 2u) * (TILE / 4u) + r / 4u][r % 4u] = v.z;
    weights[(4u * q + 3u) * (TILE / 4u) + r / 4u][r % 4u] = v.w;
}

fn input_or_zero(token: u32, c: u32) -> vec4<f32> {
    if (c >= COLUMNS / 4u) { return vec4<f32>(); }
    return input(min(token, TOKENS - 1u), c);
}

fn activation4(v: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(activation_M(v.x), activation_M(v.y), activation_M(v.z), activation_M(v.w));
}

fn gated(gate: Elements, up: Elements) -> Elements {
    var all: Elements;
    all[VECTOR] = activation4(gate[VECTOR]) * up[VECTOR];
    return all;
}

/* The sum of the teams, for the first of them. */
fn all_teams(v: vec4<f32>, thread: u32) -> vec4<f32> {
    if (TEAMS == 1u) { return v; }
    workgroupBarrier();
    inputs[thread] = v;
    workgroupBarrier();
    var sum = v;
    for (var i = 1u; i < TEAMS; i++) { sum += inputs[(thread + i * (THREADS / TEAMS)) % THREADS]; }
    return sum;
}
