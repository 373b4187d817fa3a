//! use matrix/residual
//! use matrix/update

const HAS_NORMED_UPDATE = false;
struct Residual { x: vec4<f32>, update: vec4<f32> }

fn residual_at(row: u32, c: u32) -> Residual {
    return Residual(x[first_x / 4u + row + c], update[first_update / 4u + row + c]);
}
fn update_squares(r: Residual) -> f32 { return 0.0; }
fn sum_of(r: Residual, update_scale: f32) -> vec4<f32> { return r.x + r.update; }
