const THREADS = 128u;
const WIDTH = 384u; // 3 columns for each thread
var<workgroup> partial: array<f32, THREADS>;

/* The sum over the workgroup, for each of its threads. */
fn total(v: f32, thread: u32) -> f32 {
    workgroupBarrier();
    partial[thread] = v;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if (thread < half) { partial[thread] += partial[thread + half]; }
        workgroupBarrier();
    }
    return partial[0];
}
