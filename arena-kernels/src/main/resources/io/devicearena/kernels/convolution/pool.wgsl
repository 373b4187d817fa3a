/* A pool with a thread for each element. */
//! use convolution/window
//! use KIND: convolution/pool-max
override AFTER_Y: u32 = 1u;
override AFTER_X: u32 = 1u;

@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if (i >= ELEMENTS) { return; }
    let e = element_of(i);
    var pooled = EMPTY;
    var counted = 0u;
    for (var ky = 0u; ky < SIZE_Y; ky++) {
        for (var kx = 0u; kx < SIZE_X; kx++) {
            let y = e.y * STRIDE_Y + ky * DILATION_Y;
            let x = e.x * STRIDE_X + kx * DILATION_X;
            let inside = is_inside(y - BEFORE_Y, x - BEFORE_X);
            if (inside) { pooled = with_element(pooled, input_at(e.image, e.channel, y - BEFORE_Y, x - BEFORE_X)); }
            if (counts(inside, y < BEFORE_Y + HEIGHT + AFTER_Y && x < BEFORE_X + WIDTH + AFTER_X)) { counted += 1u; }
        }
    }
    out[i] = mean_of(pooled, f32(counted));
}
