/* A super-block of 256 is two f16, 12 bytes of scales and minima, 32 bytes of fifth bits, and 128 bytes: in each 32 of
   them the low halves are 32 columns, the high halves the next 32. A unit is 8 of these bytes. */
fn part_M(row: u32, u: u32) -> Part_M {
    let at = job.w_M / 4u + (row * (COLUMNS / 256u) + u / 16u) * 11u;
    let g = u / 4u % 4u;
    let header = words_M[at];
    let base = unpack2x16float(header.x);
    let scales = base.x * six_M(header.y, header.w, g);
    let minima = base.y * six_M(header.z, header.w >> 4u, g);
    let four = words_M[at + 3u + u / 2u % 8u];
    let q = select(four.xy, four.zw, u % 2u == 1u);
    let low = q & vec2<u32>(0x0f0f0f0fu);
    let high = (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu);
    let fifths = words_M[at + 1u + u / 2u % 2u];
    let fifth = select(fifths.xy, fifths.zw, u % 2u == 1u) >> vec2<u32>(2u * g);
    let ones = vec2<u32>(0x01010101u);
    return Part_M(
        low | ((fifth & ones) << vec2<u32>(4u)),
        high | (((fifth >> vec2<u32>(1u)) & ones) << vec2<u32>(4u)),
        scales, minima);
}
