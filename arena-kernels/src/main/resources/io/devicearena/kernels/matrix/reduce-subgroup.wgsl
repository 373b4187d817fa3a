override SUBGROUP: u32;
var<workgroup> shares: array<f32, THREADS / SUBGROUP>;

/* The sum of LANES neighbours, which are in one subgroup. */
fn lanes_sum(value: f32, thread: u32) -> f32 {
    var s = value;
    if (LANES > 16u) { s += subgroupShuffleXor(s, 16u); }
    if (LANES > 8u) { s += subgroupShuffleXor(s, 8u); }
    if (LANES > 4u) { s += subgroupShuffleXor(s, 4u); }
    if (LANES > 2u) { s += subgroupShuffleXor(s, 2u); }
    if (LANES > 1u) { s += subgroupShuffleXor(s, 1u); }
    return s;
}

fn all_threads(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    let s = subgroupAdd(value);
    if (thread % SUBGROUP == 0u) { shares[thread / SUBGROUP] = s; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < THREADS / SUBGROUP; i++) { sum += shares[i]; }
    return sum;
}
