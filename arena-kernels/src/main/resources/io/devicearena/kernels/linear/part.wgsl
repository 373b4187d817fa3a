/* The rows of the matrix, and the groups of workgroups that multiply it. */
override ROWS_M: u32 = 64u;
override FIRST_GROUP_M: u32 = 0u;
override END_GROUP_M: u32 = 1u;

@group(0) @binding(0) var<storage, read> bias_M: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out_M: array<vec4<f32>>;
