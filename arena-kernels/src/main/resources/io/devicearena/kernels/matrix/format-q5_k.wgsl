//! use matrix/columns
//! use matrix/words
//! use matrix/quants-of-super-blocks as M
//! use matrix/weights-of-vectors as M

/* A super-block of 256 is two f16, 12 bytes of scales and minima, 32 bytes of fifth bits, and 128 bytes: in each 32 of
   them the low halves are 32 columns, the high halves the next 32. A unit is 8 of these bytes. */
struct Part_M { u: u32, header: vec4<u32>, four: vec4<u32>, fifths: vec4<u32> }

fn part_M(row: u32, u: u32) -> Part_M {
    let at = first_words_M / 4u + (row * (COLUMNS / 256u) + u / 16u) * 11u;
    return Part_M(u, words_M[at], words_M[at + 3u + u / 2u % 8u], words_M[at + 1u + u / 2u % 2u]);
}

fn quants_M(p: Part_M) -> Quants_M {
    let q = select(p.four.xy, p.four.zw, p.u % 2u == 1u);
    let fifth = select(p.fifths.xy, p.fifths.zw, p.u % 2u == 1u) >> vec2<u32>(2u * (p.u / 4u % 4u));
    let ones = vec2<u32>(0x01010101u);
    return Quants_M(
        (q & vec2<u32>(0x0f0f0f0fu)) | ((fifth & ones) << vec2<u32>(4u)),
        ((q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu)) | (((fifth >> vec2<u32>(1u)) & ones) << vec2<u32>(4u)));
}
