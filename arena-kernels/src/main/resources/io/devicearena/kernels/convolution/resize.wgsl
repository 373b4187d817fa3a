/* Resizes channels, with a thread for each element. */
override HEIGHT: u32 = 16u;
override WIDTH: u32 = 16u;
override OUT_HEIGHT: u32 = 32u;
override OUT_WIDTH: u32 = 32u;
override ELEMENTS: u32 = 2048u;

/* For each row of the output, then for each column: two numbers, and the weight of the second as its bits. */
@group(0) @binding(0) var<storage, read> places: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
const first_input: u32 = 0u; //! job

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if (i >= ELEMENTS) { return; }
    let column = 3u * (OUT_HEIGHT + i % OUT_WIDTH);
    let row = 3u * (i / OUT_WIDTH % OUT_HEIGHT);
    let plane = first_input + i / (OUT_WIDTH * OUT_HEIGHT) * (HEIGHT * WIDTH);
    let above = plane + places[row] * WIDTH;
    let below = plane + places[row + 1u] * WIDTH;
    let a = places[column];
    let b = places[column + 1u];
    let right = bitcast<f32>(places[column + 2u]);
    let upper = input[above + a] + (input[above + b] - input[above + a]) * right;
    let lower = input[below + a] + (input[below + b] - input[below + a]) * right;
    out[i] = upper + (lower - upper) * bitcast<f32>(places[row + 2u]);
}
