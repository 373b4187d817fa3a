@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> lengths: array<u32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let length = lengths[group.x];
    if (length == 0u) { return; }
    var sum = vec3<f32>();
    for (var t = 0u; t < length; t++) {
        let at = (group.x * LENGTH + t) * WIDTH + thread;
        sum += vec3<f32>(x[at], x[at + THREADS], x[at + 2u * THREADS]);
    }
    let v = sum * inverseSqrt(max(total(dot(sum, sum), thread), 1.17549435e-38));
    let at = group.x * WIDTH + thread;
    y[at] = v.x;
    y[at + THREADS] = v.y;
    y[at + 2u * THREADS] = v.z;
}
