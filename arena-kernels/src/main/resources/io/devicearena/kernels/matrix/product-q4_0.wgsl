//! use matrix/product-half-blocks as M
//! use matrix/format-q4_0 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(join(p.w0, p.w1, p.middle), join(p.w1, p.w2, p.middle));
    let low = q & vec2<u32>(0x0f0f0f0fu);
    let high = (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    return half_of(p.head, !p.middle) * ((dot(less(low.x, 8.0), x.x0) + dot(less(low.y, 8.0), x.x1))
        + (dot(less(high.x, 8.0), x.x4) + dot(less(high.y, 8.0), x.x5)));
}
