/* A product of few rows: LANES threads share the depth of a column. */
//! use product/matrices
//! use LANE_SUMS: step/lanes-in-memory

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let column = group.x * (THREADS / LANES) + thread / LANES;
    let place = place_of(group.z, min(column, COLUMNS - 1u));
    var sum = 0.0;
    for (var k = thread % LANES; k < DEPTH; k += LANES) {
        sum = fma(left(group.z, group.y, k), right(place, k), sum);
    }
    let all = lanes_sum(sum, thread);
    if (thread % LANES == 0u) { store(group.z, group.y, column, all); }
}
