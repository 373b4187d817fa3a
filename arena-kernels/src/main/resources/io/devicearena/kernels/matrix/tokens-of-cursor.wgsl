//! use SHAPE: matrix/tile
@group(0) @binding(0) var<storage, read> cursor: array<u32>;
const first_cursor: u32 = 0u; //! job

var<workgroup> valid: u32;

fn input_token(group: u32) -> u32 { return first_token(group); }
fn is_valid(first: u32, thread: u32) -> bool {
    if (thread == 0u) { valid = cursor[first_cursor + 1u]; }
    return first < workgroupUniformLoad(&valid);
}
