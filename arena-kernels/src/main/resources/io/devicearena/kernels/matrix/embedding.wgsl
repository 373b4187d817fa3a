override COLUMNS: u32;
override TABLE_ROWS: u32;
override SCALE: f32;

/* A part of the table: its first word in the binding, its first row, and its rows. */
struct Job { w_w: u32, first: u32, rows: u32 }

@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> cursor: array<u32>;
@group(0) @binding(3) var<uniform> job: Job;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.y;
    let c = group.x * 64u + thread;
    if (row >= cursor[1] || c >= COLUMNS / 4u) { return; }
    let token = min(token_of(row), TABLE_ROWS - 1u);
    if (token < job.first || token - job.first >= job.rows) { return; }
    out[row * (COLUMNS / 4u) + c] = SCALE * quad_w(token - job.first, c);
}
