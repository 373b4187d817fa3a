/* A transposed convolution with a thread for each element, which adds up the inputs whose window it is in. */
//! use convolution/grouped
//! use FINISH: elementwise/finish

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if (i >= ELEMENTS) { return; }
    let e = element_of(i);
    let first = e.channel / OUT_GROUP * IN_GROUP;
    var sum = 0.0;
    for (var ky = 0u; ky < SIZE_Y; ky++) {
        for (var kx = 0u; kx < SIZE_X; kx++) {
            let y = e.y + BEFORE_Y - ky * DILATION_Y;
            let x = e.x + BEFORE_X - kx * DILATION_X;
            if (y % STRIDE_Y == 0u && x % STRIDE_X == 0u && is_inside(y / STRIDE_Y, x / STRIDE_X)) {
                for (var c = 0u; c < IN_GROUP; c++) {
                    let kernel = ((first + c) * OUT_GROUP + e.channel % OUT_GROUP) * (SIZE_Y * SIZE_X);
                    let weight = weights[first_weights + kernel + ky * SIZE_X + kx];
                    sum = fma(weight, input_at(e.image, first + c, y / STRIDE_Y, x / STRIDE_X), sum);
                }
            }
        }
    }
    finish(i, e.channel, sum);
}
