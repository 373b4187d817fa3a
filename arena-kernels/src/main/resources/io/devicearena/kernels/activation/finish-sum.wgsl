@group(0) @binding(0) var<storage, read> added: array<f32>;

fn with_added(sum: f32, at: u32) -> f32 { return sum + added[at]; }
