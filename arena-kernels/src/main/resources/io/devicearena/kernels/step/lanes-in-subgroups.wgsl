enable subgroups;

override SUBGROUP: u32 = 32u;
override THREADS: u32 = 128u;
override LANES: u32 = 32u;

var<workgroup> shares: array<f32, THREADS / 4u>;

/* The neighbours that lanes_sum adds up in a subgroup. */
override PART: u32 = min(SUBGROUP, 32u);

/* The sum of 2, 4, 8 ... neighbours in a subgroup. For subgroupAdd NVIDIA's compiler calls a function, and moves loads
   behind the call that could wait for memory together with those before it. */
fn subgroup_sum(value: f32, width: u32) -> f32 {
    var s = value;
    if (width > 64u) { s += subgroupShuffleXor(s, 64u); }
    if (width > 32u) { s += subgroupShuffleXor(s, 32u); }
    if (width > 16u) { s += subgroupShuffleXor(s, 16u); }
    if (width > 8u) { s += subgroupShuffleXor(s, 8u); }
    if (width > 4u) { s += subgroupShuffleXor(s, 4u); }
    if (width > 2u) { s += subgroupShuffleXor(s, 2u); }
    if (width > 1u) { s += subgroupShuffleXor(s, 1u); }
    return s;
}

/* The sum of LANES neighbours. */
fn lanes_sum(value: f32, thread: u32) -> f32 {
    let s = subgroup_sum(value, min(LANES, PART));
    if (LANES > PART) { return sum_of_parts(s, thread); }
    return s;
}

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
    let s = subgroup_sum(value, SUBGROUP);
    if (thread % SUBGROUP == 0u) { shares[thread / SUBGROUP] = s; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < THREADS / SUBGROUP; i++) { sum += shares[i]; }
    return sum;
}
