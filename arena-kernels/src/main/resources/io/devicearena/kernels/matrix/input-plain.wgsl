//! use matrix/columns
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
const first_x: u32 = 0u; //! job

fn prepare(token: u32, thread: u32, is_first: bool) {}
fn input(token: u32, c: u32) -> vec4<f32> { return x[first_x / 4u + token * (COLUMNS / 4u) + c]; }
