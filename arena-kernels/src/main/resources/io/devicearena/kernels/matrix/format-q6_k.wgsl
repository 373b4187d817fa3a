/* A super-block of 256 is 128 bytes of low halves, 64 of upper pairs of bits, 16 scales of 8 bits, and an f16. A unit is
   4 columns and those 32, 64 and 96 after them. */
struct Part_M { q: vec4<u32>, scales: vec4<f32> }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32> }

/* 4 bytes from an even offset. */
fn word_M(at: u32) -> u32 {
    let first = job.w_M + at / 4u;
    let low = words_M[first];
    return select(join(low, words_M[first + 1u], true), low, at % 4u == 0u);
}

fn two_M(at: u32) -> vec2<u32> {
    let first = job.w_M + at / 4u;
    let low = words_M[first];
    let next = words_M[first + 1u];
    let middle = vec2<u32>(join(low, next, true), join(next, words_M[first + 2u], true));
    return select(middle, vec2<u32>(low, next), at % 4u == 0u);
}

/* The scales of the blocks that hold columns 0, 32, 64 and 96 after the first. */
fn scales_M(at: u32, h: u32, odd: u32) -> vec4<f32> {
    let eight = two_M(at + 192u + 8u * h) >> vec2<u32>(8u * odd);
    let a = unpack4xI8(eight.x);
    let b = unpack4xI8(eight.y);
    let scale = half_of(words_M[job.w_M + (at + 208u) / 4u], (at + 208u) % 4u == 2u);
    return scale * vec4<f32>(f32(a.x), f32(a.z), f32(b.x), f32(b.z));
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 256u) + u / 16u) * 210u;
    let h = u / 8u % 2u;
    let four = 4u * (u % 8u);
    let a = word_M(at + 64u * h + four);
    let b = word_M(at + 64u * h + 32u + four);
    let pairs = word_M(at + 128u + 32u * h + four);
    let fours = vec4<u32>(a, b, a >> 4u, b >> 4u) & vec4<u32>(0x0f0f0f0fu);
    let twos = vec4<u32>(pairs << 4u, pairs << 2u, pairs, pairs >> 2u) & vec4<u32>(0x30303030u);
    return Part_M(fours | twos, scales_M(at, h, u / 4u % 2u));
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 256u) + c / 64u) * 210u;
    let h = c / 32u % 2u;
    let quarter = c / 8u % 4u;
    let fours = word_M(at + 64u * h + 32u * (quarter % 2u) + 4u * (c % 8u)) >> (4u * (quarter / 2u));
    let pairs = word_M(at + 128u + 32u * h + 4u * (c % 8u)) >> (2u * quarter);
    let q = (fours & 0x0f0f0f0fu) | ((pairs & 0x03030303u) << 4u);
    return scales_M(at, h, c / 4u % 2u)[quarter] * (bytes(q) - 32.0);
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 8u * 32u + u % 8u;
    return Input_M(input(token, c), input(token, c + 8u), input(token, c + 16u), input(token, c + 24u));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    return dot(p.scales, vec4<f32>(
        dot(bytes(p.q.x) - 32.0, x.x0), dot(bytes(p.q.y) - 32.0, x.x1),
        dot(bytes(p.q.z) - 32.0, x.x2), dot(bytes(p.q.w) - 32.0, x.x3)));
}
