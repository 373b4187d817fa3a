/* A unit is 8 columns. */
struct Part_M { eight: vec4<u32> }
struct Input_M { x0: vec4<f32>, x1: vec4<f32> }

fn four_M(a: u32, b: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4<u32>(a << 16u, a & 0xffff0000u, b << 16u, b & 0xffff0000u));
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let eight = words_M[job.w_M / 4u + row * (COLUMNS / 8u) + c / 2u];
    return four_M(select(eight.x, eight.z, c % 2u == 1u), select(eight.y, eight.w, c % 2u == 1u));
}

fn part_M(row: u32, u: u32) -> Part_M {
    return Part_M(words_M[job.w_M / 4u + row * (COLUMNS / 8u) + u]);
}

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(input(token, 2u * u), input(token, 2u * u + 1u)); }

fn product_M(p: Part_M, x: Input_M) -> f32 {
    return dot(four_M(p.eight.x, p.eight.y), x.x0) + dot(four_M(p.eight.z, p.eight.w), x.x1);
}
