// strided-copy

// ELEMENT, made by the step
const first_input: u32 = 0u; //! job
@group(0) @binding(0) var<storage, read> input: array<u32>;

fn place(i: u32) -> u32 {
    let i_1 = i % 128u;
    let i_over_1 = i / 128u;
    let i_0 = i_over_1;
    return 0u + i;
}

fn element(i: u32) -> u32 {
    let i_1 = i % 128u;
    let i_over_1 = i / 128u;
    let i_0 = i_over_1;
    return input[first_input + 0u + i_0 + i_1 * 64u];
}

// step/elements.wgsl
override ELEMENTS: u32 = 8192u;
override STRIDE: u32 = 8192u;
const first_out: u32 = 0u; //! job

@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { out[first_out + place(i)] = element(i); }
}
