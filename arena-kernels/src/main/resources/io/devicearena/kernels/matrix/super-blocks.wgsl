/* What super-blocks of 8 scales and 8 minima share: a unit is 8 columns of one block and 8 of the next. */
struct Part_M { low: vec2<u32>, high: vec2<u32>, scales: vec2<f32>, minima: vec2<f32> }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32>, low: f32, high: f32 }

/* The 6-bit scales, or minima, of blocks 2g and 2g + 1, in two bytes. */
fn six_M(plain: u32, packed: u32, g: u32) -> vec2<f32> {
    let shift = 16u * (g % 2u);
    let p = plain >> shift;
    let pair = select(((packed >> shift) & 0x0f0fu) | ((p >> 2u) & 0x3030u), p & 0x3f3fu, g < 2u);
    return vec2<f32>(f32(pair & 255u), f32((pair >> 8u) & 255u));
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let p = part_M(row, c / 64u * 16u + c / 16u % 4u * 4u + c / 2u % 4u);
    let is_high = c / 8u % 2u == 1u;
    let words = select(p.low, p.high, is_high);
    return select(p.scales.x, p.scales.y, is_high) * bytes(select(words.x, words.y, c % 2u == 1u))
        - select(p.minima.x, p.minima.y, is_high);
}

fn input_M(token: u32, u: u32) -> Input_M {
    let c = u / 16u * 64u + u / 4u % 4u * 16u + u % 4u * 2u;
    let x0 = input(token, c);
    let x1 = input(token, c + 1u);
    let x4 = input(token, c + 8u);
    let x5 = input(token, c + 9u);
    return Input_M(x0, x1, x4, x5, total4(x0 + x1), total4(x4 + x5));
}

fn product_M(p: Part_M, x: Input_M) -> f32 {
    let low = dot(bytes(p.low.x), x.x0) + dot(bytes(p.low.y), x.x1);
    let high = dot(bytes(p.high.x), x.x4) + dot(bytes(p.high.y), x.x5);
    return (p.scales.x * low + p.scales.y * high) - (p.minima.x * x.low + p.minima.y * x.high);
}
