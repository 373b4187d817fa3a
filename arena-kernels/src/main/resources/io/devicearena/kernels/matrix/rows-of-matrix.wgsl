override ROWS_M: u32;
override UNITS_M: u32;
override OUT_COLUMNS_M: u32;

/* The elements of PER_LANE rows from one on, which LANES neighbours compute: first UNROLLED units at a
   time, so that their loads wait together. */
fn elements_M(row: u32, token: u32, thread: u32) -> Elements {
    let r#R = min(row + #Ru, ROWS_M - 1u);
    var s#R = 0.0;
    var u = thread % LANES;
    for (; u + (UNROLLED - 1u) * LANES < UNITS_M; u += UNROLLED * LANES) {
        let p#R_#U = part_M(r#R, u + #Uu * LANES);
        let x#U = input_M(token, u + #Uu * LANES);
        s#R += product_M(p#R_#U, x#U);
    }
    for (; u < UNITS_M; u += LANES) {
        let x = input_M(token, u);
        let p#R = part_M(r#R, u);
        s#R += product_M(p#R, x);
    }
    var all: Elements;
    all[#R] = lanes_sum(s#R, thread);
    return all;
}

fn store_M(row: u32, out_token: u32, thread: u32, all: Elements) {
    if (thread % LANES == 0u) {
        if (row + #Ru < ROWS_M) { OUT_M[job.y_M + out_token * OUT_COLUMNS_M + row + #Ru] = all[#R]; }
    }
}
