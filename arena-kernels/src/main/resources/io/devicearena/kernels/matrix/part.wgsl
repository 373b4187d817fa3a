//! use BIAS_M: matrix/bias-none as M
/* The rows of the matrix, its units, and the groups of workgroups that multiply it. */
override ROWS_M: u32 = 64u;
override OUT_COLUMNS_M: u32 = 64u;
override FIRST_GROUP_M: u32 = 0u;
override END_GROUP_M: u32 = 64u;

@group(0) @binding(0) var<storage, read_write> out_M: array<f32>;
const first_out_M: u32 = 0u; //! job
