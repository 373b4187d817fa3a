//! use BIAS: activation/finish-without-bias
//! use ADDED: activation/finish-without-sum
//! use FUNCTION: activation/function-none
@group(0) @binding(0) var<storage, read_write> out: array<f32>;

/* Stores an element of a sum: its place in the output, and the number of its bias. */
fn finish(at: u32, channel: u32, sum: f32) { out[at] = of_element(with_added(sum + bias_of(channel), at)); }
