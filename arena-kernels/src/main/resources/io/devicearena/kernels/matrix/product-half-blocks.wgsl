//! use INPUT: matrix/input-plain

/* A unit is half of the bytes of a block: 8 columns of its first half, and 8 of its second. */
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32> }

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 2u * 8u + u % 2u * 2u;
    return Input_M(input(token, c), input(token, c + 1u), input(token, c + 4u), input(token, c + 5u));
}
