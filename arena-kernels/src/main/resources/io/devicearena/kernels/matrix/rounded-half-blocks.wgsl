//! use INPUT: matrix/input-rounded

/* A unit is half of the bytes of a block: 8 columns of its first half, and 8 of its second. */
struct Input_M { low: vec2<u32>, high: vec2<u32>, scale: f32 }

fn input_M(token: u32, u: u32) -> Input_M {
    let e = u / 2u * 4u + u % 2u;
    return Input_M(eight_bytes(token, e), eight_bytes(token, e + 2u), scale_of_block(token, u / 2u));
}
