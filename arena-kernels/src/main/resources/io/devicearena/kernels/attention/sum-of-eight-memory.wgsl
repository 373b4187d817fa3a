var<workgroup> shares: array<f32, 256>;

/* The sum of eight neighbours. */
fn sum_of_eight(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    shares[thread] = value;
    workgroupBarrier();
    var s = 0.0;
    for (var i = 0u; i < 8u; i++) { s += shares[(thread & 248u) + i]; }
    return s;
}
