/* The first half of a gated layer: matrix 0 is the gate, matrix 1 what it lets through. */
//! use SHAPE: matrix/rows
//! use TOKENS: matrix/every-token
//! use INPUT: matrix/input-plain
//! use MATRIX: matrix/rows-of-matrix as 0
//! use MATRIX: matrix/rows-of-matrix as 1

/* What is loaded of short rows does not wait for the input, see rows-of-matrix.wgsl. */
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let out_token = first_token(group.y);
    if (!is_valid(out_token, thread)) { return; }
    let token = input_token(group.y);
    let g = group.x;
    let row = first_row(g, thread);
    let loaded_0 = load_0(row, thread);
    let loaded_1 = load_1(row, thread);
    prepare(token, thread, group.x == 0u);
    let gate = elements_0(loaded_0, row, token, thread);
    store_0(row, out_token, thread, gated(gate, elements_1(loaded_1, row, token, thread)));
}
