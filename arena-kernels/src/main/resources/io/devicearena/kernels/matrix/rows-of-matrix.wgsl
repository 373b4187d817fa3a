//! use matrix/part as M
//! use matrix/rows
//! use PRODUCT_M: matrix/product-f32 as M
const ROW: u32 = 0u; //! repeat PER_LANE
const UNIT: u32 = 0u; //! repeat UNROLLED
override UNITS_M: u32 = 32u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_M {
    p_ROW_UNIT: Part_M,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_M(row: u32, thread: u32) -> Loaded_M {
    var loaded: Loaded_M;
    if (UNITS_M <= UNROLLED * LANES) {
        loaded.p_ROW_UNIT = part_M(min(row + ROW, ROWS_M - 1u), min(thread % LANES + UNIT * LANES, UNITS_M - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_M(loaded: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let r_ROW = min(row + ROW, ROWS_M - 1u);
    var s_ROW = 0.0;
    var u = thread % LANES;
    if (UNITS_M <= UNROLLED * LANES) {
        let x_UNIT = input_M(token, min(u + UNIT * LANES, UNITS_M - 1u));
        s_ROW += select(0.0, product_M(loaded.p_ROW_UNIT, x_UNIT), u + UNIT * LANES < UNITS_M);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_M; u += UNROLLED * LANES) {
            let p_ROW_UNIT = part_M(r_ROW, u + UNIT * LANES);
            let x_UNIT = input_M(token, u + UNIT * LANES);
            s_ROW += product_M(p_ROW_UNIT, x_UNIT);
        }
        for (; u < UNITS_M; u += LANES) {
            let x = input_M(token, u);
            let p_ROW = part_M(r_ROW, u);
            s_ROW += product_M(p_ROW, x);
        }
    }
    var all: Elements;
    all[ROW] = lanes_sum(s_ROW, thread);
    return all;
}

fn store_M(row: u32, out_token: u32, thread: u32, all: Elements) {
    let at = first_out_M + out_token * OUT_COLUMNS_M + row;
    if (thread % LANES == 0u) {
        if (row + ROW < ROWS_M) { out_M[at + ROW] = biased_M(row + ROW, all[ROW]); }
    }
}
