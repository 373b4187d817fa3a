/* The place of an invocation in its workgroup of 256 invocations. */
struct Lane {
    @builtin(local_invocation_index) index: u32,
}

var<workgroup> reduced: array<f32, 256>;

/* The sum of the values of all invocations of a workgroup. */
fn workgroupSum(value: f32, lane: Lane) -> f32 {
    reduced[lane.index] = value;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (lane.index < half) { reduced[lane.index] += reduced[lane.index + half]; }
        workgroupBarrier();
    }
    let total = reduced[0];
    workgroupBarrier();
    return total;
}

/* The largest of the values of all invocations of a workgroup. */
fn workgroupMax(value: f32, lane: Lane) -> f32 {
    reduced[lane.index] = value;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (lane.index < half) { reduced[lane.index] = max(reduced[lane.index], reduced[lane.index + half]); }
        workgroupBarrier();
    }
    let largest = reduced[0];
    workgroupBarrier();
    return largest;
}
