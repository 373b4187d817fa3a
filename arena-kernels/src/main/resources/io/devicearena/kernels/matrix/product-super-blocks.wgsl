//! use INPUT: matrix/input-plain
//! use matrix/super-blocks as M

struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32>, low: f32, high: f32 }

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 16u * 64u + u / 4u % 4u * 16u + u % 4u * 2u;
    let x0 = input(token, c);
    let x1 = input(token, c + 1u);
    let x4 = input(token, c + 8u);
    let x5 = input(token, c + 9u);
    return Input_M(x0, x1, x4, x5, total4(x0 + x1), total4(x4 + x5));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = quants_M(p);
    let low = dot(less(q.low.x, 0.0), x.x0) + dot(less(q.low.y, 0.0), x.x1);
    let high = dot(less(q.high.x, 0.0), x.x4) + dot(less(q.high.y, 0.0), x.x5);
    return dot(scales_M(p.header, p.u / 4u % 4u), vec2<f32>(low, high))
        - dot(minima_M(p.header, p.u / 4u % 4u), vec2<f32>(x.low, x.high));
}
