@group(0) @binding(0) var<storage, read> update: array<vec4<f32>>;
const first_update: u32 = 0u; //! job
@group(0) @binding(1) var<storage, read_write> sums: array<vec4<f32>>;
const first_sums: u32 = 0u; //! job

fn write_sum(row: u32, c: u32, value: vec4<f32>) { sums[first_sums / 4u + row + c] = value; }
