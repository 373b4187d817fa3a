/* A block of 32 is an f16, 4 bytes of fifth bits, and 16 bytes: the low halves are the first 16 columns. A unit is a
   block. */
struct Part_M { scale: f32, fifth: u32, q: vec4<u32> }
struct Input_M {
    x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32>,
    x4: vec4<f32>, x5: vec4<f32>, x6: vec4<f32>, x7: vec4<f32>
}

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
    let at = (row * (COLUMNS / 32u) + u) * 22u;
    let middle = at % 4u == 0u;
    let first = job.w_M + at / 4u;
    let w0 = words_M[first];
    let w1 = words_M[first + 1u];
    let w2 = words_M[first + 2u];
    let w3 = words_M[first + 3u];
    let w4 = words_M[first + 4u];
    let w5 = words_M[first + 5u];
    return Part_M(
        half_of(w0, !middle),
        join(w0, w1, middle),
        vec4<u32>(join(w1, w2, middle), join(w2, w3, middle), join(w3, w4, middle), join(w4, w5, middle)));
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = 8u * u;
    return Input_M(
        input(token, c), input(token, c + 1u), input(token, c + 2u), input(token, c + 3u),
        input(token, c + 4u), input(token, c + 5u), input(token, c + 6u), input(token, c + 7u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let low = p.q & vec4<u32>(0x0f0f0f0fu);
    let high = (p.q >> vec4<u32>(4u)) & vec4<u32>(0x0f0f0f0fu);
    let f = p.fifth;
    let first = (dot(bytes(low.x | fifth_bits(f)) - 16.0, x.x0) + dot(bytes(low.y | fifth_bits(f >> 4u)) - 16.0, x.x1))
        + (dot(bytes(low.z | fifth_bits(f >> 8u)) - 16.0, x.x2) + dot(bytes(low.w | fifth_bits(f >> 12u)) - 16.0, x.x3));
    let second =
        (dot(bytes(high.x | fifth_bits(f >> 16u)) - 16.0, x.x4) + dot(bytes(high.y | fifth_bits(f >> 20u)) - 16.0, x.x5))
        + (dot(bytes(high.z | fifth_bits(f >> 24u)) - 16.0, x.x6) + dot(bytes(high.w | fifth_bits(f >> 28u)) - 16.0, x.x7));
    return p.scale * (first + second);
}
