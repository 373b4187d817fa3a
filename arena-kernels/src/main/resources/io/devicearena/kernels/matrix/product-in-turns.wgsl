/* As product.wgsl, for so many groups that each workgroup does the work of several. */
const PARTS: u32 = 1u;
const PART: u32 = 0u; //! repeat PARTS
//! use SHAPE: matrix/rows
//! use TOKENS: matrix/every-token
//! use INPUT: matrix/input-plain
//! use MATRIX: matrix/rows-of-matrix as PART
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
        let is_in_PART = g >= FIRST_GROUP_PART && g < END_GROUP_PART;
        var loaded_PART: Loaded_PART;
        let row_PART = first_row(g - FIRST_GROUP_PART, thread);
        if (is_in_PART) { loaded_PART = load_PART(row_PART, thread); }
        if (is_in_PART) { store_PART(row_PART, out_token, thread, elements_PART(loaded_PART, row_PART, token, thread)); }
    }
}
