@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
const first_x: u32 = 0u; //! job
