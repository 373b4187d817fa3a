/* A convolution with a thread for each element: for groups of few channels. */
//! use convolution/grouped
//! use FINISH: elementwise/finish

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if (i >= ELEMENTS) { return; }
    let e = element_of(i);
    let first = e.channel / OUT_GROUP * IN_GROUP;
    var sum = 0.0;
    for (var c = 0u; c < IN_GROUP; c++) {
        let kernel = first_weights + (e.channel * IN_GROUP + c) * (SIZE_Y * SIZE_X);
        for (var ky = 0u; ky < SIZE_Y; ky++) {
            for (var kx = 0u; kx < SIZE_X; kx++) {
                let y = e.y * STRIDE_Y + ky * DILATION_Y - BEFORE_Y;
                let x = e.x * STRIDE_X + kx * DILATION_X - BEFORE_X;
                if (is_inside(y, x)) {
                    sum = fma(weights[kernel + ky * SIZE_X + kx], input_at(e.image, first + c, y, x), sum);
                }
            }
        }
    }
    finish(i, e.channel, sum);
}
