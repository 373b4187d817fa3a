fn activated_M(v: vec4<f32>) -> vec4<f32> { return v; }
