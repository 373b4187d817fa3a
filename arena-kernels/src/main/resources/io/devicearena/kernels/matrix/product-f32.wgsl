//! use matrix/input-of-eight as M
//! use matrix/format-f32 as M

fn product_M(p: Part_M, x: Input_M) -> f32 { return dot(p.v0, x.x0) + dot(p.v1, x.x1); }
