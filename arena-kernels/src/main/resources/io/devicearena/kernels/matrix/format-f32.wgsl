//! use matrix/columns
//! use matrix/weights-of-floats as M

/* A unit is 8 columns. */
struct Part_M { v0: vec4<f32>, v1: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> { return words_M[first_words_M / 4u + row * (COLUMNS / 4u) + c]; }

fn part_M(row: u32, u: u32) -> Part_M {
    let at = first_words_M / 4u + row * (COLUMNS / 4u) + 2u * u;
    return Part_M(words_M[at], words_M[at + 1u]);
}
