@group(0) @binding(0) var<storage, read> bias_M: array<f32>;
const first_bias_M: u32 = 0u; //! job

fn biased_M(row: u32, product: f32) -> f32 { return product + bias_M[first_bias_M + row]; }
