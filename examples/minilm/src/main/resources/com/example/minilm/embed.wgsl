override TOKENS: u32;
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read> words: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> types: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= TOKENS * 96u) { return; }
    y[id.x] = words[ids[id.x / 96u] * 96u + id.x % 96u] + positions[id.x] + types[id.x % 96u];
}
