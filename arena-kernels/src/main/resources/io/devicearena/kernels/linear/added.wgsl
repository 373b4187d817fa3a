@group(0) @binding(0) var<storage, read> added_M: array<vec4<f32>>;

fn with_added_M(v: vec4<f32>, at: u32) -> vec4<f32> { return v + added_M[at]; }
