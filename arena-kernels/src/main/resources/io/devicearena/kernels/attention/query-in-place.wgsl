@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;

fn query(at: u32) -> vec4<f32> { return out[at]; }
