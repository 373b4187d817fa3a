//! use matrix/rounded-half-blocks as M
//! use matrix/format-q4_0 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(join(p.w0, p.w1, p.middle), join(p.w1, p.w2, p.middle));
    let low = q & vec2<u32>(0x0f0f0f0fu);
    let high = (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    let sum = product8(bytes_less(low, 8u), x.low) + product8(bytes_less(high, 8u), x.high);
    return half_of(p.head, !p.middle) * x.scale * f32(sum);
}
