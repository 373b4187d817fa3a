var<workgroup> parts: array<f32, 64>;

/* The sum over the 64 invocations of a workgroup. */
fn sum(lane: u32, own: f32) -> f32 {
    workgroupBarrier();
    parts[lane] = own;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if (lane < half) { parts[lane] += parts[lane + half]; }
        workgroupBarrier();
    }
    return parts[0];
}
