@group(0) @binding(0) var<storage, read> bias: array<f32>;

fn bias_of(channel: u32) -> f32 { return bias[channel]; }
