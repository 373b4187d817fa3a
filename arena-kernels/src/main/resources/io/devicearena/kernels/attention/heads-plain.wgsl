//! use attention/shape

const IS_NORMED = false;

fn weight_of(v: u32, is_key: bool) -> vec4<f32> { return vec4<f32>(1.0); }
fn normed(x: vec4<f32>, squares: f32, weight: vec4<f32>) -> vec4<f32> { return x; }
