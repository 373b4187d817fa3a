/* Stores 4 elements of a token. */
fn finish_M(token: u32, row: u32, sum: vec4<f32>) {
    if (token < TOKENS && row < ROWS_M) {
        let at = token * (ROWS_M / 4u) + row / 4u;
        out_M[at] = RESULT;
    }
}
