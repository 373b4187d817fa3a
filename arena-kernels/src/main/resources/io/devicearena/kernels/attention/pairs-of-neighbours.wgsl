//! use attention/raw

/* What 4 elements are paired with, negative for the first of a pair. */
fn partners(first: u32, v: u32) -> vec4<f32> {
    let x = raw[first + v];
    return vec4<f32>(-x.y, x.x, -x.w, x.z);
}
