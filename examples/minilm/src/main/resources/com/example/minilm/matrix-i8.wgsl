@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(4) var<storage, read> scales: array<f32>;
fn weights(at: u32) -> vec4<f32> { return vec4<f32>(unpack4xI8(w[at])) * scales[at / 8u]; }
