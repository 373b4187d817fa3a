/* A unit is 8 columns. */
struct Part_M { eight: vec4<u32> }

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
