@group(0) @binding(0) var<storage, read_write> out: array<f32>;

/* Stores an element of a sum: its place in the output, and the number of its channel. */
fn finish(at: u32, channel: u32, sum: f32) { out[at] = sum; }
