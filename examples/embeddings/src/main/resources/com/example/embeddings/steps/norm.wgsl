@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> cursor: array<u32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.x;
    if (row >= cursor[1]) { return; }
    let c = vec3<u32>(thread, thread + THREADS, thread + 2u * THREADS);
    let v = vec3<f32>(element(row, c.x), element(row, c.y), element(row, c.z));
    let mean = total(v.x + v.y + v.z, thread) / f32(WIDTH);
    let d = v - mean;
    let scale = inverseSqrt(total(dot(d, d), thread) / f32(WIDTH) + 1e-12);
    y[row * WIDTH + c.x] = d.x * scale * weight[c.x] + bias[c.x];
    y[row * WIDTH + c.y] = d.y * scale * weight[c.y] + bias[c.y];
    y[row * WIDTH + c.z] = d.z * scale * weight[c.z] + bias[c.z];
}
