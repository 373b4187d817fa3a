/* A block of 32 is an f16 and 16 bytes: the low halves are the first 16 columns. A unit is
   half of the bytes. */
struct Part_M { head: u32, w0: u32, w1: u32, w2: u32, middle: bool }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 18u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u + c % 4u;
    let pairs = join(words_M[first], words_M[first + 1u], middle) >> (4u * (c / 4u % 2u));
    return half_of(words_M[job.w_M + at / 4u], !middle) * less(pairs & 0x0f0f0f0fu, 8.0);
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 2u) * 18u;
    let block = job.w_M + at / 4u;
    let first = block + 2u * (u % 2u);
    return Part_M(words_M[block], words_M[first], words_M[first + 1u], words_M[first + 2u], at % 4u == 0u);
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 2u * 8u + u % 2u * 2u;
    return Input_M(input(token, c), input(token, c + 1u), input(token, c + 4u), input(token, c + 5u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let q = vec2<u32>(join(p.w0, p.w1, p.middle), join(p.w1, p.w2, p.middle));
    let low = q & vec2<u32>(0x0f0f0f0fu);
    let high = (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    return half_of(p.head, !p.middle) * ((dot(less(low.x, 8.0), x.x0) + dot(less(low.y, 8.0), x.x1))
        + (dot(less(high.x, 8.0), x.x4) + dot(less(high.y, 8.0), x.x5)));
}
