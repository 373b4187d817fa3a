/* A block of 32 is an f16, 4 bytes of fifth bits, and 16 bytes: the low halves are the first 16 columns. A unit is
   half of the bytes. */
struct Part_M { head: u32, next: u32, w0: u32, w1: u32, w2: u32, u: u32, middle: bool }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 22u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u;
    let fifth = join(words_M[first], words_M[first + 1u], middle) >> (4u * (c % 8u));
    let pairs = join(words_M[first + 1u + c % 4u], words_M[first + 2u + c % 4u], middle) >> (4u * (c / 4u % 2u));
    let q = (pairs & 0x0f0f0f0fu) | fifth_bits(fifth);
    return half_of(words_M[first], !middle) * less(q, 16.0);
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 2u) * 22u;
    let block = job.w_M + at / 4u;
    let first = block + 1u + 2u * (u % 2u);
    return Part_M(
        words_M[block], words_M[block + 1u], words_M[first], words_M[first + 1u], words_M[first + 2u], u,
        at % 4u == 0u);
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 2u * 8u + u % 2u * 2u;
    return Input_M(input(token, c), input(token, c + 1u), input(token, c + 4u), input(token, c + 5u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let f = join(p.head, p.next, p.middle) >> (8u * (p.u % 2u));
    let a = join(p.w0, p.w1, p.middle);
    let b = join(p.w1, p.w2, p.middle);
    let q0 = less((a & 0x0f0f0f0fu) | fifth_bits(f), 16.0);
    let q1 = less((b & 0x0f0f0f0fu) | fifth_bits(f >> 4u), 16.0);
    let q4 = less(((a >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 16u), 16.0);
    let q5 = less(((b >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 20u), 16.0);
    return half_of(p.head, !p.middle) * ((dot(q0, x.x0) + dot(q1, x.x1)) + (dot(q4, x.x4) + dot(q5, x.x5)));
}
