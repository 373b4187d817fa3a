var<workgroup> shares: array<f32, THREADS / 4u>;

/* The sum of LANES neighbours. */
fn lanes_sum(value: f32, thread: u32) -> f32 {
    var s = value;
    if (LANES > 16u && SUBGROUP > 16u) { s += subgroupShuffleXor(s, 16u); }
    if (LANES > 8u && SUBGROUP > 8u) { s += subgroupShuffleXor(s, 8u); }
    if (LANES > 4u && SUBGROUP > 4u) { s += subgroupShuffleXor(s, 4u); }
    if (LANES > 2u) { s += subgroupShuffleXor(s, 2u); }
    if (LANES > 1u) { s += subgroupShuffleXor(s, 1u); }
    if (LANES > PART) { s = sum_of_parts(s, thread); }
    return s;
}

/* The neighbours that lanes_sum adds up in a subgroup. */
override PART = min(SUBGROUP, 32u);

/* The sum of the parts of LANES neighbours, each of which a part's threads hold. */
fn sum_of_parts(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    if (thread % PART == 0u) { shares[thread / PART] = value; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < LANES / PART; i++) { sum += shares[thread / LANES * (LANES / PART) + i]; }
    return sum;
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
