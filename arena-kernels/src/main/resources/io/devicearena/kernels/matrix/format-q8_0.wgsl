/* A block of 32 is an f16 and 32 bytes; a unit is a quarter of a block. */
struct Part_M { head: u32, w0: u32, w1: u32, w2: u32, middle: bool }
struct Input_M { x0: vec4<f32>, x1: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 34u;
    let scale = half_of(words_M[job.w_M + at / 4u], at % 4u == 2u);
    let first = job.w_M + (at + 2u) / 4u + c % 8u;
    if (at % 4u == 2u) { return scale * signed_bytes(words_M[first]); }
    return scale * signed_bytes(join(words_M[first], words_M[first + 1u], true));
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 4u) * 34u;
    let block = job.w_M + at / 4u;
    let first = block + 2u * (u % 4u);
    return Part_M(words_M[block], words_M[first], words_M[first + 1u], words_M[first + 2u], at % 4u == 0u);
}

fn input_M(token: u32, u: u32) -> Input_M { return Input_M(input(token, 2u * u), input(token, 2u * u + 1u)); }

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let a = signed_bytes(join(p.w0, p.w1, p.middle));
    let b = signed_bytes(join(p.w1, p.w2, p.middle));
    return half_of(p.head, !p.middle) * (dot(a, x.x0) + dot(b, x.x1));
}
