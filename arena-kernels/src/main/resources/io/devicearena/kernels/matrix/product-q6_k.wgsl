//! use INPUT: matrix/input-plain
//! use matrix/format-q6_k as M

struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32> }

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 8u * 32u + u % 8u;
    return Input_M(input(token, c), input(token, c + 8u), input(token, c + 16u), input(token, c + 24u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = quants_M(p);
    return dot(scales_M(p), vec4<f32>(
        dot(less(q.x, 32.0), x.x0), dot(less(q.y, 32.0), x.x1),
        dot(less(q.z, 32.0), x.x2), dot(less(q.w, 32.0), x.x3)));
}
