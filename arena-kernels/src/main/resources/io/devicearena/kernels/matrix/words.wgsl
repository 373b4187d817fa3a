/* Four bytes that begin in the middle of a word, or with the second one. */
fn join(low: u32, high: u32, middle: bool) -> u32 {
    return select(high, (low >> 16u) | (high << 16u), middle);
}

/* Bytes less an offset, and bytes with a sign: those without one take fewer instructions to unpack. */
fn less(word: u32, offset: f32) -> vec4<f32> { return vec4<f32>(unpack4xU8(word)) - offset; }
fn signed_bytes(word: u32) -> vec4<f32> { return less(word ^ 0x80808080u, 128.0); }

/* Bytes of up to 31 less an offset of up to 16, with a sign. */
fn bytes_less(words: vec2<u32>, offset: u32) -> vec2<u32> {
    let signs = vec2<u32>(0x80808080u);
    return ((words | signs) - vec2<u32>(offset * 0x01010101u)) ^ signs;
}

/* The low four bits to bit 4 of each byte. */
fn fifth_bits(bits: u32) -> u32 { return ((bits & 15u) * 0x02040810u) & 0x10101010u; }

/* The f16 in one half of a word. */
fn half_of(word: u32, upper: bool) -> f32 {
    let pair = unpack2x16float(word);
    return select(pair.x, pair.y, upper);
}

fn total4(v: vec4<f32>) -> f32 { return (v.x + v.y) + (v.z + v.w); }
