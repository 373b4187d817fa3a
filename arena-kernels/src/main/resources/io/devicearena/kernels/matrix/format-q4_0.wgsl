/* A block of 32 is an f16 and 16 bytes: the low halves are the first 16 columns. A unit is
   half of the bytes. */
struct Part_M { scale: f32, q: vec2<u32> }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 18u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u + c % 4u;
    let pairs = join(words_M[first], words_M[first + 1u], middle) >> (4u * (c / 4u % 2u));
    return half_of(words_M[job.w_M + at / 4u], !middle) * (bytes(pairs & 0x0f0f0f0fu) - 8.0);
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 2u) * 18u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u + 2u * (u % 2u);
    let w0 = words_M[first];
    let w1 = words_M[first + 1u];
    let w2 = words_M[first + 2u];
    return Part_M(
        half_of(words_M[job.w_M + at / 4u], !middle), vec2<u32>(join(w0, w1, middle), join(w1, w2, middle)));
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 2u * 8u + u % 2u * 2u;
    return Input_M(input(token, c), input(token, c + 1u), input(token, c + 4u), input(token, c + 5u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let low = p.q & vec2<u32>(0x0f0f0f0fu);
    let high = (p.q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    return p.scale * ((dot(bytes(low.x) - 8.0, x.x0) + dot(bytes(low.y) - 8.0, x.x1))
        + (dot(bytes(high.x) - 8.0, x.x4) + dot(bytes(high.y) - 8.0, x.x5)));
}
