override EPSILON: f32 = 1e-6f;
@group(0) @binding(0) var<storage, read> norm: array<vec4<f32>>;
const first_norm: u32 = 0u; //! job
