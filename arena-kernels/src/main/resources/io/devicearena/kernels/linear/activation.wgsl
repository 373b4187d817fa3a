//! use ACTIVATION_M: activation/silu as M

fn activated_M(v: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(activation_M(v.x), activation_M(v.y), activation_M(v.z), activation_M(v.w));
}
