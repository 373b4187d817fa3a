//! use convolution/window
override IN_GROUP: u32 = 8u;
override OUT_GROUP: u32 = 8u;

@group(0) @binding(0) var<storage, read> weights: array<f32>;
const first_weights: u32 = 0u; //! job
