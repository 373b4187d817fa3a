const IS_NORMED = false;

fn normed(x: vec4<f32>, squares: f32, v: u32, is_key: bool) -> vec4<f32> { return x; }
