//! use matrix/columns
//! use matrix/embedding-cursor
//! use TOKEN: matrix/token-of-cursor
//! use FORMAT: matrix/format-f32
override TABLE_ROWS: u32 = 1024u;
override SCALE: f32 = 1.0f;
/* A part of the table: its first row, and its rows. */
const first_row: u32 = 0u; //! job
const part_rows: u32 = 1024u; //! job

@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.y;
    let c = group.x * 64u + thread;
    if (row >= cursor[1] || c >= COLUMNS / 4u) { return; }
    let token = min(token_of(row), TABLE_ROWS - 1u);
    if (token < first_row || token - first_row >= part_rows) { return; }
    out[row * (COLUMNS / 4u) + c] = SCALE * quad_M(token - first_row, c);
}
