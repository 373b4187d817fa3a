@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;

fn input(at: u32) -> f32 { return x[at]; }
