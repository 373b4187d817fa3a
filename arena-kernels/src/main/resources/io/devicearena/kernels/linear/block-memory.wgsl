//! use linear/input
/* The threads that share a block. */
override LANES: u32 = 32u;
/* The blocks of a workgroup, side by side in the direction of tokens. */
override TOKEN_BLOCKS: u32 = 2u;

var<workgroup> sums: array<vec4<f32>, 4u * THREADS>;

/* The sum over the lanes of a block, of token number lane; for the first four lanes. */
fn sum_of_lanes(first: u32, lane: u32) -> vec4<f32> {
    workgroupBarrier();
    let at = lane % 4u * THREADS + first + lane / 4u * 4u;
    let share = (sums[at] + sums[at + 1u]) + (sums[at + 2u] + sums[at + 3u]);
    workgroupBarrier();
    sums[lane % 4u * THREADS + first + lane / 4u] = share;
    workgroupBarrier();
    var sum = vec4<f32>();
    if (lane < 4u) {
        for (var i = 0u; i < LANES / 4u; i++) { sum += sums[lane * THREADS + first + i]; }
    }
    return sum;
}
