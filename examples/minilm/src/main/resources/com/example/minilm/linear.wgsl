override TOKENS: u32;
override ROWS: u32;
override COLUMNS: u32;
override GELU: bool;
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;

/* x (1 + erf(x / sqrt 2)) / 2, with erf by Abramowitz and Stegun 7.1.26, within 1.5e-7. */
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let a = abs(x) * 0.7071067811865476;
    let t = 1.0 / (1.0 + 0.3275911 * a);
    let p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    return 0.5 * x * (1.0 + sign(x) * (1.0 - p * exp(-a * a)));
}

/* Each invocation makes four rows for four tokens. */
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
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
        let value = scaled(sums[i], r) + bias[r];
        y[(t + i) * (ROWS / 4u) + r] = select(value, gelu(value), vec4<bool>(GELU));
    }
}
