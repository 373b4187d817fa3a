override TOKENS: u32;
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;

/* The mean over the tokens, at length 1: the divisor of the mean cancels. */
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    var sums: array<f32, 6>;
    var own = 0.0;
    for (var i = 0u; i < 6u; i++) {
        for (var t = 0u; t < TOKENS; t++) { sums[i] += x[t * 384u + i * 64u + lane] * mask[t]; }
        own += sums[i] * sums[i];
    }
    let length = sqrt(sum(lane, own));
    for (var i = 0u; i < 6u; i++) { y[i * 64u + lane] = sums[i] / length; }
}
