//! use matrix/residual
//! use matrix/update
@group(0) @binding(0) var<storage, read> post: array<vec4<f32>>;
const first_post: u32 = 0u; //! job

const HAS_NORMED_UPDATE = true;
struct Residual { x: vec4<f32>, update: vec4<f32>, post: vec4<f32> }

fn residual_at(row: u32, c: u32) -> Residual {
    return Residual(x[first_x / 4u + row + c], update[first_update / 4u + row + c], post[first_post / 4u + c]);
}
fn update_squares(r: Residual) -> f32 { return dot(r.update, r.update); }
fn sum_of(r: Residual, update_scale: f32) -> vec4<f32> { return r.x + r.update * update_scale * r.post; }
