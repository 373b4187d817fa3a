override THREADS: u32 = 128u;
override LANES: u32 = 32u;

var<workgroup> shares: array<f32, THREADS>;

/* The sum of each width neighbours, a power of two. */
fn neighbours(value: f32, thread: u32, width: u32) -> f32 {
    workgroupBarrier();
    shares[thread] = value;
    for (var half = width / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (thread % width < half) { shares[thread] += shares[thread + half]; }
    }
    workgroupBarrier();
    return shares[thread - thread % width];
}

fn lanes_sum(value: f32, thread: u32) -> f32 { return neighbours(value, thread, LANES); }
fn all_threads(value: f32, thread: u32) -> f32 { return neighbours(value, thread, THREADS); }
