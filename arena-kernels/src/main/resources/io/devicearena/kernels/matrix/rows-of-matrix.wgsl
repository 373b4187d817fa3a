override ROWS_M: u32;
override UNITS_M: u32;
override OUT_COLUMNS_M: u32;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_M {
    p#R_#U: Part_M,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_M(row: u32, thread: u32) -> Loaded_M {
    var loaded: Loaded_M;
    if (UNITS_M <= UNROLLED * LANES) {
        loaded.p#R_#U = part_M(min(row + #Ru, ROWS_M - 1u), min(thread % LANES + #Uu * LANES, UNITS_M - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_M(loaded: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let r#R = min(row + #Ru, ROWS_M - 1u);
    var s#R = 0.0;
    var u = thread % LANES;
    if (UNITS_M <= UNROLLED * LANES) {
        let x#U = input_M(token, min(u + #Uu * LANES, UNITS_M - 1u));
        s#R += select(0.0, product_M(loaded.p#R_#U, x#U), u + #Uu * LANES < UNITS_M);
    } else {
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
