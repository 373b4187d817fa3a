override ADD: u32;
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> residual: array<f32>;
@group(0) @binding(3) var<storage, read> gamma: array<f32>;
@group(0) @binding(4) var<storage, read> beta: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) token: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = token.x * 384u + lane;
    var v: array<f32, 6>;
    var own = 0.0;
    for (var i = 0u; i < 6u; i++) {
        v[i] = x[first + i * 64u] + f32(ADD) * residual[first + i * 64u];
        own += v[i];
    }
    let mean = sum(lane, own) / 384.0;
    own = 0.0;
    for (var i = 0u; i < 6u; i++) { own += (v[i] - mean) * (v[i] - mean); }
    let scale = 1.0 / sqrt(sum(lane, own) / 384.0 + 1e-12);
    for (var i = 0u; i < 6u; i++) {
        let c = i * 64u + lane;
        y[first + i * 64u] = (v[i] - mean) * scale * gamma[c] + beta[c];
    }
}
