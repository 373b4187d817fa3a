@group(0) @binding(0) var<storage, read> weight: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<f32>;

fn weighted(v: f32, column: u32) -> f32 { return v * weight[column] + bias[column]; }
