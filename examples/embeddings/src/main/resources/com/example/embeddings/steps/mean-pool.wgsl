@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> ranges: array<vec2<u32>>;

const THREADS = 128u;
const WIDTH = PER_THREAD * THREADS;
var<workgroup> partial: array<f32, THREADS>;

/* The sum over the workgroup, for each of its threads. */
fn total(v: f32, thread: u32) -> f32 {
    partial[thread] = v;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if (thread < half) { partial[thread] += partial[thread + half]; }
        workgroupBarrier();
    }
    return partial[0];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let range = ranges[group.x];
    if (range.x == range.y) { return; }
    var sums: array<f32, PER_THREAD>;
    for (var t = range.x; t < range.y; t++) {
        for (var i = 0u; i < PER_THREAD; i++) { sums[i] += x[t * WIDTH + i * THREADS + thread]; }
    }
    var squares = 0.0;
    for (var i = 0u; i < PER_THREAD; i++) { squares += sums[i] * sums[i]; }
    let scale = inverseSqrt(max(total(squares, thread), 1.17549435e-38));
    for (var i = 0u; i < PER_THREAD; i++) { y[group.x * WIDTH + i * THREADS + thread] = sums[i] * scale; }
}
