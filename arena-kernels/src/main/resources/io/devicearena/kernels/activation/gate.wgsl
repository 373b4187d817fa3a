//! use ACTIVATION: activation/silu
override ELEMENTS: u32 = 1024u;
override STRIDE: u32 = 256u;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read> second: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { out[i] = activation_M(input[i]) * second[i]; }
}
