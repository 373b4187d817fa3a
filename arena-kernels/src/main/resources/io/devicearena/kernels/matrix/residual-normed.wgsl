const HAS_NORMED_UPDATE = true;

fn update_squares(row: u32, c: u32) -> f32 {
    let v = update[job.update / 4u + row + c];
    return dot(v, v);
}
fn sum_at(row: u32, c: u32, update_scale: f32) -> vec4<f32> {
    return x[job.x / 4u + row + c] + update[job.update / 4u + row + c] * update_scale * post[job.post / 4u + c];
}
fn write_sum(row: u32, c: u32, value: vec4<f32>) { sums[job.sums / 4u + row + c] = value; }
