//! use matrix/rounded-half-blocks as M
//! use matrix/format-q5_0 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(join(p.w0, p.w1, p.middle), join(p.w1, p.w2, p.middle));
    let f = join(p.head, p.next, p.middle) >> (8u * (p.u % 2u));
    let low = (q & vec2<u32>(0x0f0f0f0fu)) | vec2<u32>(fifth_bits(f), fifth_bits(f >> 4u));
    let high = ((q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu))
        | vec2<u32>(fifth_bits(f >> 16u), fifth_bits(f >> 20u));
    let sum = product8(bytes_less(low, 16u), x.low) + product8(bytes_less(high, 16u), x.high);
    return half_of(p.head, !p.middle) * x.scale * f32(sum);
}
