// gate

// activation/gelu_tanh.wgsl
fn activation_M(x: f32) -> f32 {
    let u = 0.7978845608028654 * x * (1.0 + 0.044715 * x * x);
    return x * (1.0 - 1.0 / (exp(min(2.0 * u, 80.0)) + 1.0));
}

// activation/gate.wgsl
override ELEMENTS: u32 = 1024u;
override STRIDE: u32 = 1024u;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read> second: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { out[i] = activation_M(input[i]) * second[i]; }
}
