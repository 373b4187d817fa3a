//! use attention/shape
//! use attention/raw

/* What 4 elements are paired with in the other half of their head, negative for the first of a pair. */
fn partners(first: u32, v: u32) -> vec4<f32> {
    if (v < WIDTH / 2u) { return -raw[first + v + WIDTH / 2u]; }
    return raw[first + v - WIDTH / 2u];
}
