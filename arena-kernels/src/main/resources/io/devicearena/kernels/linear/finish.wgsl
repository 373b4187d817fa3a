//! use linear/input
//! use linear/part as M
//! use ACTIVATED_M: linear/no-activation as M
//! use ADDED_M: linear/nothing-added as M

/* Stores 4 elements of a token. */
fn finish_M(token: u32, row: u32, sum: vec4<f32>) {
    if (token < TOKENS && row < ROWS_M) {
        let at = token * (ROWS_M / 4u) + row / 4u;
        out_M[at] = with_added_M(activated_M(sum + bias_M[row / 4u]), at);
    }
}
