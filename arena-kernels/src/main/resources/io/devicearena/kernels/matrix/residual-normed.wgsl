const HAS_NORMED_UPDATE = true;
struct Residual { x: vec4<f32>, update: vec4<f32>, post: vec4<f32> }

fn residual_at(row: u32, c: u32) -> Residual {
    return Residual(x[job.x / 4u + row + c], update[job.update / 4u + row + c], post[job.post / 4u + c]);
}
fn update_squares(r: Residual) -> f32 { return dot(r.update, r.update); }
fn sum_of(r: Residual, update_scale: f32) -> vec4<f32> { return r.x + r.update * update_scale * r.post; }
fn write_sum(row: u32, c: u32, value: vec4<f32>) { sums[job.sums / 4u + row + c] = value; }
