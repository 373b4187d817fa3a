override TOKENS: u32;
override ROWS: u32;
override COLUMNS: u32;
override GELU: bool;

/* Binding 0 is the value that a step makes, the others are its inputs. 384 elements are 96 vectors. */
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;

@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read> words: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> types: array<vec4<f32>>;

@compute @workgroup_size(64)
fn embed(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= TOKENS * 96u) { return; }
    y[id.x] = words[ids[id.x / 96u] * 96u + id.x % 96u] + positions[id.x] + types[id.x % 96u];
}

@group(0) @binding(2) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> gamma: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> beta: array<vec4<f32>>;

@compute @workgroup_size(64)
fn norm(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= TOKENS) { return; }
    let row = id.x * 96u;
    var sum = vec4<f32>();
    var squares = 0.0;
    for (var i = row; i < row + 96u; i++) {
        y[i] = x[i] + residual[i];
        sum += y[i];
    }
    let mean = (sum.x + sum.y + sum.z + sum.w) / 384.0;
    for (var i = row; i < row + 96u; i++) { squares += dot(y[i] - mean, y[i] - mean); }
    let scale = 1.0 / sqrt(squares / 384.0 + 1e-12);
    for (var c = 0u; c < 96u; c++) { y[row + c] = (y[row + c] - mean) * scale * gamma[c] + beta[c]; }
}

@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;

/* x (1 + erf(x / sqrt 2)) / 2, with erf by Abramowitz and Stegun 7.1.26, within 1.5e-7. */
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let a = abs(x) * 0.7071067811865476;
    let t = 1.0 / (1.0 + 0.3275911 * a);
    let p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    return 0.5 * x * (1.0 + sign(x) * (1.0 - p * exp(-a * a)));
}

@compute @workgroup_size(64)
fn linear(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = COLUMNS / 4u;
    let r = id.x % (ROWS / 4u);
    let t = id.x / (ROWS / 4u) * 4u;
    if (t >= TOKENS) { return; }
    var sums = mat4x4<f32>();
    for (var k = 0u; k < n; k++) {
        let at = r * 4u * n + k;
        let rows = mat4x4<f32>(weights(at), weights(at + n), weights(at + 2u * n), weights(at + 3u * n));
        for (var i = 0u; i < 4u; i++) { sums[i] += x[(t + i) * n + k] * rows; }
    }
    for (var i = 0u; i < 4u; i++) {
        let value = sums[i] + bias[r];
        y[(t + i) * (ROWS / 4u) + r] = select(value, gelu(value), vec4<bool>(GELU));
    }
}

@group(0) @binding(3) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> values: array<vec4<f32>>;

/* The weights are relative to the largest score so far. */
@compute @workgroup_size(64)
fn attention(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= TOKENS * 12u) { return; }
    var most = -1e30;
    var total = 0.0;
    var mixed: array<vec4<f32>, 8>;
    for (var j = 0u; j < TOKENS; j++) {
        if (mask[j] == 0.0) { continue; }
        let head = j * 96u + id.x % 12u * 8u;
        var score = 0.0;
        for (var c = 0u; c < 8u; c++) { score += dot(x[id.x * 8u + c], keys[head + c]) * 0.17677669529663687; }
        let before = most;
        most = max(most, score);
        total = total * exp(before - most) + exp(score - most);
        for (var c = 0u; c < 8u; c++) {
            mixed[c] = mixed[c] * exp(before - most) + values[head + c] * exp(score - most);
        }
    }
    for (var c = 0u; c < 8u; c++) { y[id.x * 8u + c] = mixed[c] / total; }
}

@compute @workgroup_size(64)
fn pool(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= 96u) { return; }
    var sum = vec4<f32>();
    for (var t = 0u; t < TOKENS; t++) { sum += mask[t] * x[t * 96u + id.x]; }
    y[id.x] = sum;
}
