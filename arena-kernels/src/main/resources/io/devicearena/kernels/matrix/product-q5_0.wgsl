//! use matrix/product-half-blocks as M
//! use matrix/format-q5_0 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let f = join(p.head, p.next, p.middle) >> (8u * (p.u % 2u));
    let a = join(p.w0, p.w1, p.middle);
    let b = join(p.w1, p.w2, p.middle);
    let q0 = less((a & 0x0f0f0f0fu) | fifth_bits(f), 16.0);
    let q1 = less((b & 0x0f0f0f0fu) | fifth_bits(f >> 4u), 16.0);
    let q4 = less(((a >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 16u), 16.0);
    let q5 = less(((b >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 20u), 16.0);
    return half_of(p.head, !p.middle) * ((dot(q0, x.x0) + dot(q1, x.x1)) + (dot(q4, x.x4) + dot(q5, x.x5)));
}
