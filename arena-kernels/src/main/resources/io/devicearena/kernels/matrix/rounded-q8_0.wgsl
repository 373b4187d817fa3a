//! use INPUT: matrix/input-rounded
//! use matrix/format-q8_0 as M

struct Input_M { eight: vec2<u32>, scale: f32 }

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(eight_bytes(token, u), scale_of_block(token, u / 4u)); }

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(join(p.w0, p.w1, p.middle), join(p.w1, p.w2, p.middle));
    return half_of(p.head, !p.middle) * x.scale * f32(product8(q, x.eight));
}
