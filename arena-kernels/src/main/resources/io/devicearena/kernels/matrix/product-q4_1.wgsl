//! use matrix/product-half-blocks as M
//! use matrix/format-q4_1 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(p.w0, p.w1);
    let low = q & vec2<u32>(0x0f0f0f0fu);
    let high = (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    let head = unpack2x16float(p.head);
    return head.x * ((dot(less(low.x, 0.0), x.x0) + dot(less(low.y, 0.0), x.x1))
        + (dot(less(high.x, 0.0), x.x4) + dot(less(high.y, 0.0), x.x5)))
        + head.y * total4((x.x0 + x.x1) + (x.x4 + x.x5));
}
