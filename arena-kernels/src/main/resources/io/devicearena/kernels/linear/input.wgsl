/* The vectors of a row, and the most rows. */
override WIDTH: u32 = 64u;
override TOKENS: u32 = 64u;
override THREADS: u32 = 128u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;

fn input(token: u32, c: u32) -> vec4<f32> { return x[min(token, TOKENS - 1u) * WIDTH + c]; }
