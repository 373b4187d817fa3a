//! use attention/shape
override EPSILON: f32 = 1e-6f;

@group(0) @binding(7) var<storage, read> query_norm: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> key_norm: array<vec4<f32>>;
const IS_NORMED = true;

/* The weights of 4 elements. */
fn weight_of(v: u32, is_key: bool) -> vec4<f32> { return select(query_norm[v], key_norm[v], is_key); }

/* 4 elements of a head whose squares have a sum. */
fn normed(x: vec4<f32>, squares: f32, weight: vec4<f32>) -> vec4<f32> {
    return x * (1.0 / sqrt(squares / f32(4u * WIDTH) + EPSILON) * weight);
}
