fn with_added_M(v: vec4<f32>, at: u32) -> vec4<f32> { return v; }
