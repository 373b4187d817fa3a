struct Input_M { x0: vec4<f32>, x1: vec4<f32> }

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(input(token, 2u * u), input(token, 2u * u + 1u)); }

fn product_M(p: Part_M, x: Input_M) -> f32 {
    return dot(four_M(p.eight.x, p.eight.y), x.x0) + dot(four_M(p.eight.z, p.eight.w), x.x1);
}
