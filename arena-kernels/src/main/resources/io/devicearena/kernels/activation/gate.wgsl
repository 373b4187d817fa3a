override ELEMENTS: u32;
override STRIDE: u32;

@group(0) @binding(2) var<storage, read> second: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { y[i] = activation(input(i)) * second[i]; }
}
