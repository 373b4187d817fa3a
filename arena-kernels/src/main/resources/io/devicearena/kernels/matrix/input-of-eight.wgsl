//! use INPUT: matrix/input-plain

/* A unit is 8 columns. */
struct Input_M { x0: vec4<f32>, x1: vec4<f32> }

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(input(token, 2u * u), input(token, 2u * u + 1u)); }
