fn weight_M(row: u32, c: u32) -> vec4<f32> {
    let four = words_M[job.w_M + min(row, ROWS_M - 1u) * WIDTH + c];
    return vec4<f32>(unpack2x16float(four.x), unpack2x16float(four.y));
}
