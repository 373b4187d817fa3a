/* As gated-product.wgsl, for so many groups that each workgroup does the work of several. */
//! use SHAPE: matrix/rows
//! use TOKENS: matrix/every-token
//! use INPUT: matrix/input-plain
//! use MATRIX: matrix/rows-of-matrix as 0
//! use MATRIX: matrix/rows-of-matrix as 1
/* All groups of the step, and the workgroups that take turns. */
override GROUPS: u32 = 64u;
override STRIDE: u32 = 32u;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let out_token = first_token(group.y);
    if (!is_valid(out_token, thread)) { return; }
    let token = input_token(group.y);
    prepare(token, thread, group.x == 0u);
    for (var g = group.x; g < GROUPS; g += STRIDE) {
        let row = first_row(g, thread);
        let loaded_0 = load_0(row, thread);
        let loaded_1 = load_1(row, thread);
        let gate = elements_0(loaded_0, row, token, thread);
        store_0(row, out_token, thread, gated(gate, elements_1(loaded_1, row, token, thread)));
    }
}
