@group(0) @binding(2) var<storage, read> w: array<vec4<f32>>;
fn weights(at: u32) -> vec4<f32> { return w[at]; }
