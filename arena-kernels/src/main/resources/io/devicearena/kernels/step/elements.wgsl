//! use ELEMENT: step/same-element
override ELEMENTS: u32 = 1024u;
override STRIDE: u32 = 256u;
const first_out: u32 = 0u; //! job

@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { out[first_out + place(i)] = element(i); }
}
