override TOKENS: u32;
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> q: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> k: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> mask: array<f32>;
var<workgroup> weights: array<f32, TOKENS>;

/* A workgroup for each query and head. A vector has four elements, a head 8 vectors, a row 96. */
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let query = group.x * 96u + group.y * 8u;
    for (var j = lane; j < TOKENS; j += 64u) {
        var score = 0.0;
        for (var c = 0u; c < 8u; c++) { score += dot(q[query + c], k[j * 96u + group.y * 8u + c]); }
        weights[j] = select(score * 0.17677669529663687, -1e30, mask[j] == 0.0);
    }
    workgroupBarrier();
    var most = -3e38;
    for (var j = 0u; j < TOKENS; j++) { most = max(most, weights[j]); }
    workgroupBarrier();
    var own = 0.0;
    for (var j = lane; j < TOKENS; j += 64u) {
        weights[j] = exp(weights[j] - most);
        own += weights[j];
    }
    let total = sum(lane, own);
    if (lane < 8u) {
        var mixed = vec4<f32>();
        for (var j = 0u; j < TOKENS; j++) { mixed += weights[j] * v[j * 96u + group.y * 8u + lane]; }
        y[query + lane] = mixed / total;
    }
}
