/* What super-blocks of 8 scales and 8 minima share: a unit is 8 columns of one block and 8 of the next. */
struct Quants_M { low: vec2<u32>, high: vec2<u32> }
struct Input_M { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32>, low: f32, high: f32 }

/* The 6-bit scales, or minima, of blocks 2g and 2g + 1, in two bytes. */
fn six_M(plain: u32, packed: u32, g: u32) -> vec2<f32> {
    let shift = 16u * (g % 2u);
    let p = plain >> shift;
    let pair = select(((packed >> shift) & 0x0f0fu) | ((p >> 2u) & 0x3030u), p & 0x3f3fu, g < 2u);
    return vec2<f32>(f32(pair & 255u), f32((pair >> 8u) & 255u));
}

/* The scales, or minima, of a unit. */
fn scales_M(p: Part_M) -> vec2<f32> {
    return unpack2x16float(p.header.x).x * six_M(p.header.y, p.header.w, p.u / 4u % 4u);
}
fn minima_M(p: Part_M) -> vec2<f32> {
    return unpack2x16float(p.header.x).y * six_M(p.header.z, p.header.w >> 4u, p.u / 4u % 4u);
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let p = part_M(row, c / 64u * 16u + c / 16u % 4u * 4u + c / 2u % 4u);
    let q = quants_M(p);
    let is_high = c / 8u % 2u == 1u;
    let words = select(q.low, q.high, is_high);
    let scale = select(scales_M(p).x, scales_M(p).y, is_high);
    return scale * less(select(words.x, words.y, c % 2u == 1u), 0.0) - select(minima_M(p).x, minima_M(p).y, is_high);
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
    let q = quants_M(p);
    let low = dot(less(q.low.x, 0.0), x.x0) + dot(less(q.low.y, 0.0), x.x1);
    let high = dot(less(q.high.x, 0.0), x.x4) + dot(less(q.high.y, 0.0), x.x5);
    return dot(scales_M(p), vec2<f32>(low, high)) - dot(minima_M(p), vec2<f32>(x.low, x.high));
}
