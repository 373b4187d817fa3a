@group(0) @binding(0) var<storage, read_write> rows: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> cursor: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= cursor[1] * (COLUMNS / 4u)) { return; }
    let v = rows[id.x] + bias[id.x % (COLUMNS / 4u)];
    rows[id.x] = vec4<f32>(activation(v.x), activation(v.y), activation(v.z), activation(v.w));
}
