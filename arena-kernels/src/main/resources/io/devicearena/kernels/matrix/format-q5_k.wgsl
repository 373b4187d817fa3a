/* A super-block of 256 is two f16, 12 bytes of scales and minima, 32 bytes of fifth bits, and 128 bytes: in each 32 of
   them the low halves are 32 columns, the high halves the next 32. A unit is 16 of these bytes. */
struct Part_M { low: vec4<u32>, high: vec4<u32>, scales: vec2<f32>, minima: vec2<f32> }
struct Input_M {
    x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32>,
    x4: vec4<f32>, x5: vec4<f32>, x6: vec4<f32>, x7: vec4<f32>,
    low: f32, high: f32
}

/* The 6-bit scales, or minima, of blocks 2g and 2g + 1, in two bytes. */
fn six_M(plain: u32, packed: u32, g: u32) -> vec2<f32> {
    let shift = 16u * (g % 2u);
    let p = plain >> shift;
    let pair = select(((packed >> shift) & 0x0f0fu) | ((p >> 2u) & 0x3030u), p & 0x3f3fu, g < 2u);
    return vec2<f32>(f32(pair & 255u), f32((pair >> 8u) & 255u));
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = job.w_M / 4u + (row * (COLUMNS / 256u) + u / 8u) * 11u;
    let g = u / 2u % 4u;
    let header = words_M[at];
    let base = unpack2x16float(header.x);
    let scales = base.x * six_M(header.y, header.w, g);
    let minima = base.y * six_M(header.z, header.w >> 4u, g);
    let q = words_M[at + 3u + u % 8u];
    let low = q & vec4<u32>(0x0f0f0f0fu);
    let high = (q >> vec4<u32>(4u)) & vec4<u32>(0x0f0f0f0fu);
    let fifth = words_M[at + 1u + u % 2u] >> vec4<u32>(2u * g);
    let ones = vec4<u32>(0x01010101u);
    return Part_M(
        low | ((fifth & ones) << vec4<u32>(4u)),
        high | (((fifth >> vec4<u32>(1u)) & ones) << vec4<u32>(4u)),
        scales, minima);
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let p = part_M(row, c / 64u * 8u + c / 16u % 4u * 2u + c / 4u % 2u);
    let is_high = c / 8u % 2u == 1u;
    let words = select(p.low, p.high, is_high);
    return select(p.scales.x, p.scales.y, is_high) * bytes(words[c % 4u]) - select(p.minima.x, p.minima.y, is_high);
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 8u * 64u + u / 2u % 4u * 16u + u % 2u * 4u;
    let x0 = input(token, c);
    let x1 = input(token, c + 1u);
    let x2 = input(token, c + 2u);
    let x3 = input(token, c + 3u);
    let x4 = input(token, c + 8u);
    let x5 = input(token, c + 9u);
    let x6 = input(token, c + 10u);
    let x7 = input(token, c + 11u);
    return Input_M(x0, x1, x2, x3, x4, x5, x6, x7, total4((x0 + x1) + (x2 + x3)), total4((x4 + x5) + (x6 + x7)));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let low = (dot(bytes(p.low.x), x.x0) + dot(bytes(p.low.y), x.x1))
        + (dot(bytes(p.low.z), x.x2) + dot(bytes(p.low.w), x.x3));
    let high = (dot(bytes(p.high.x), x.x4) + dot(bytes(p.high.y), x.x5))
        + (dot(bytes(p.high.z), x.x6) + dot(bytes(p.high.w), x.x7));
    return (p.scales.x * low + p.scales.y * high) - (p.minima.x * x.low + p.minima.y * x.high);
}
