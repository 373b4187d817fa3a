@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> words: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> types: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> ids: array<u32>;
@group(0) @binding(5) var<storage, read> spans: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> cursor: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x / FOURS;
    let c = id.x % FOURS;
    if (row >= cursor[1]) { return; }
    y[id.x] = words[ids[row] * FOURS + c] + (places[(row - spans[row].x) * FOURS + c] + types[c]);
}
