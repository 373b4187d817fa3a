//! use RESIDUAL: matrix/residual-plain
//! use LANE_SUMS: step/lanes-in-memory
//! use matrix/staged-row
//! use matrix/norm
/* The vectors of a row that a thread stages. */
const VECTORS: u32 = 1u;
const VECTOR: u32 = 0u; //! repeat VECTORS

/* Every workgroup norms the row; the first writes the sum of the residual stream. All loads come first, so that they
   wait for memory together. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let row = token * (COLUMNS / 4u);
    let end = COLUMNS / 4u;
    let c_VECTOR = thread + VECTOR * THREADS;
    let r_VECTOR = residual_at(row, min(c_VECTOR, end - 1u));
    let n_VECTOR = norm[first_norm / 4u + min(c_VECTOR, end - 1u)];
    var update_scale = 1.0;
    if (HAS_NORMED_UPDATE) {
        var update_sum = 0.0;
        update_sum += select(0.0, update_squares(r_VECTOR), c_VECTOR < end);
        update_scale = inverseSqrt(all_threads(update_sum, thread) / f32(COLUMNS) + EPSILON);
    }
    var squares = 0.0;
    let v_VECTOR = sum_of(r_VECTOR, update_scale);
    squares += select(0.0, dot(v_VECTOR, v_VECTOR), c_VECTOR < end);
    if (is_first && c_VECTOR < end) { write_sum(row, c_VECTOR, v_VECTOR); }
    let scale = inverseSqrt(all_threads(squares, thread) / f32(COLUMNS) + EPSILON);
    if (c_VECTOR < end) { staged[place(c_VECTOR)] = v_VECTOR * scale * n_VECTOR; }
    workgroupBarrier();
}
