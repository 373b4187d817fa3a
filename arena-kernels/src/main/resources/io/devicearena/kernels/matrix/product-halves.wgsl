//! use matrix/input-of-eight as M
//! use matrix/format-halves as M

fn product_M(p: Part_M, x: Input_M) -> f32 {
    return dot(four_M(p.eight.x, p.eight.y), x.x0) + dot(four_M(p.eight.z, p.eight.w), x.x1);
}
