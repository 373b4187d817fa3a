//! use linear/input
//! use linear/part as M
@group(0) @binding(0) var<storage, read> words_M: array<vec4<f32>>;
const first_words_M: u32 = 0u; //! job

fn weight_M(row: u32, c: u32) -> vec4<f32> { return words_M[first_words_M / 4u + min(row, ROWS_M - 1u) * WIDTH + c]; }
