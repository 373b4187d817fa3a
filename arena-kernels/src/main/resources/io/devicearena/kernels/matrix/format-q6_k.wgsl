//! use matrix/columns
//! use matrix/words
//! use matrix/weights-of-words as M

/* A super-block of 256 is 128 bytes of low halves, 64 of upper pairs of bits, 16 scales of 8 bits, and an f16. A unit
   is 4 columns and those 32, 64 and 96 after them. */
struct Part_M { odd: u32, middle: bool, a: vec2<u32>, b: vec2<u32>, pairs: vec2<u32>, scales: vec3<u32>, scale: u32 }

/* The words that hold 4 bytes from an even offset, and those bytes. */
fn two_M(at: u32) -> vec2<u32> {
    let first = first_words_M + at / 4u;
    return vec2<u32>(words_M[first], words_M[first + 1u]);
}
fn joined_M(two: vec2<u32>, middle: bool) -> u32 { return select(two.x, join(two.x, two.y, true), middle); }

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 256u) + u / 16u) * 210u;
    let h = u / 8u % 2u;
    let four = 4u * (u % 8u);
    let eight = at + 192u + 8u * h;
    return Part_M(
        u / 4u % 2u, at % 4u == 2u,
        two_M(at + 64u * h + four), two_M(at + 64u * h + 32u + four), two_M(at + 128u + 32u * h + four),
        vec3<u32>(two_M(eight), words_M[first_words_M + eight / 4u + 2u]), words_M[first_words_M + (at + 208u) / 4u]);
}

/* The scales of the blocks that hold columns 0, 32, 64 and 96 after the first. */
fn scales_M(p: Part_M) -> vec4<f32> {
    let a = unpack4xI8(joined_M(p.scales.xy, p.middle) >> (8u * p.odd));
    let b = unpack4xI8(joined_M(p.scales.yz, p.middle) >> (8u * p.odd));
    return half_of(p.scale, p.middle) * vec4<f32>(f32(a.x), f32(a.z), f32(b.x), f32(b.z));
}

/* The columns of a unit, in bytes. */
fn quants_M(p: Part_M) -> vec4<u32> {
    let a = joined_M(p.a, p.middle);
    let b = joined_M(p.b, p.middle);
    let pairs = joined_M(p.pairs, p.middle);
    let fours = vec4<u32>(a, b, a >> 4u, b >> 4u) & vec4<u32>(0x0f0f0f0fu);
    let twos = vec4<u32>(pairs << 4u, pairs << 2u, pairs, pairs >> 2u) & vec4<u32>(0x30303030u);
    return fours | twos;
}

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let p = part_M(row, c / 64u * 16u + c / 32u % 2u * 8u + c % 8u);
    let quarter = c / 8u % 4u;
    return scales_M(p)[quarter] * less(quants_M(p)[quarter], 32.0);
}
