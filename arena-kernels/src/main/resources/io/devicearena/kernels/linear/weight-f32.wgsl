fn weight_M(row: u32, c: u32) -> vec4<f32> { return words_M[job.w_M + min(row, ROWS_M - 1u) * WIDTH + c]; }
