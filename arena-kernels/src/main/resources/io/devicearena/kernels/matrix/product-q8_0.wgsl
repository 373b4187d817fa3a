struct Input_M { x0: vec4<f32>, x1: vec4<f32> }

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(input(token, 2u * u), input(token, 2u * u + 1u)); }

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let a = signed_bytes(join(p.w0, p.w1, p.middle));
    let b = signed_bytes(join(p.w1, p.w2, p.middle));
    return half_of(p.head, !p.middle) * (dot(a, x.x0) + dot(b, x.x1));
}
