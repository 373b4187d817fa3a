//! use INPUT: matrix/input-rounded
//! use SUPER_BLOCK_M: matrix/rounded-q4_k as M
//! use matrix/scales-of-super-blocks as M

/* A unit is 16 columns of one block and 16 of the next. */
struct Input_M { low: vec4<u32>, high: vec4<u32>, scales: vec2<f32> }

fn input_M(token: u32, u: u32) -> Input_M {
    let e = u / 2u * 8u + u % 2u * 2u;
    return Input_M(
        vec4<u32>(eight_bytes(token, e), eight_bytes(token, e + 1u)),
        vec4<u32>(eight_bytes(token, e + 4u), eight_bytes(token, e + 5u)),
        scales_of_blocks(token, u / 2u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let ones = vec4<u32>(0x01010101u);
    let products = x.scales * vec2<f32>(product16(low_M(p), x.low), product16(high_M(p), x.high));
    let sums = x.scales * vec2<f32>(product16(ones, x.low), product16(ones, x.high));
    return dot(scales_M(p.header, p.u / 2u % 4u), products) - dot(minima_M(p.header, p.u / 2u % 4u), sums);
}
