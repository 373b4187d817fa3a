/* A block of 32 is an f16, 4 bytes of fifth bits, and 16 bytes: the low halves are the first 16 columns. A unit is
   half of the bytes. */
struct Part_M { scale: f32, q0: u32, q1: u32, q4: u32, q5: u32 }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 22u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u;
    let fifth = join(words_M[first], words_M[first + 1u], middle) >> (4u * (c % 8u));
    let pairs = join(words_M[first + 1u + c % 4u], words_M[first + 2u + c % 4u], middle) >> (4u * (c / 4u % 2u));
    let q = (pairs & 0x0f0f0f0fu) | fifth_bits(fifth);
    return half_of(words_M[first], !middle) * (bytes(q) - 16.0);
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 2u) * 22u;
    let middle = at % 4u == 0u;
    let block = job.w_M + at / 4u;
    let first = block + 1u + 2u * (u % 2u);
    let head = words_M[block];
    let w0 = words_M[first];
    let w1 = words_M[first + 1u];
    let w2 = words_M[first + 2u];
    let f = join(head, words_M[block + 1u], middle) >> (8u * (u % 2u));
    let a = join(w0, w1, middle);
    let b = join(w1, w2, middle);
    return Part_M(
        half_of(head, !middle),
        (a & 0x0f0f0f0fu) | fifth_bits(f),
        (b & 0x0f0f0f0fu) | fifth_bits(f >> 4u),
        ((a >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 16u),
        ((b >> 4u) & 0x0f0f0f0fu) | fifth_bits(f >> 20u));
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 2u * 8u + u % 2u * 2u;
    return Input_M(input(token, c), input(token, c + 1u), input(token, c + 4u), input(token, c + 5u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    return p.scale * ((dot(bytes(p.q0) - 16.0, x.x0) + dot(bytes(p.q1) - 16.0, x.x1))
        + (dot(bytes(p.q4) - 16.0, x.x4) + dot(bytes(p.q5) - 16.0, x.x5)));
}
