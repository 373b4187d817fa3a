//! use matrix/input-of-eight as M
//! use matrix/format-q8_0 as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let a = signed_bytes(join(p.w0, p.w1, p.middle));
    let b = signed_bytes(join(p.w1, p.w2, p.middle));
    return half_of(p.head, !p.middle) * (dot(a, x.x0) + dot(b, x.x1));
}
