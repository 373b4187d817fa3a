/* The header of super-blocks with 8 scales and 8 minima: two f16, and 12 bytes of 6 bits each. */

/* The 6-bit scales, or minima, of blocks 2g and 2g + 1, in two bytes. */
fn six_M(plain: u32, packed: u32, g: u32) -> vec2<f32> {
    let shift = 16u * (g % 2u);
    let p = plain >> shift;
    let pair = select(((packed >> shift) & 0x0f0fu) | ((p >> 2u) & 0x3030u), p & 0x3f3fu, g < 2u);
    return vec2<f32>(f32(pair & 255u), f32((pair >> 8u) & 255u));
}

fn scales_M(header: vec4<u32>, g: u32) -> vec2<f32> {
    return unpack2x16float(header.x).x * six_M(header.y, header.w, g);
}
fn minima_M(header: vec4<u32>, g: u32) -> vec2<f32> {
    return unpack2x16float(header.x).y * six_M(header.z, header.w >> 4u, g);
}
