@group(0) @binding(0) var<storage, read> in_M: array<f32>;
const first_in_M: u32 = 0u; //! job

fn term_M(i: u32) -> f32 { return in_M[first_in_M + i]; }
