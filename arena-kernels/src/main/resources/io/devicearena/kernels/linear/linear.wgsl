/* A linear layer: up to three matrices, a group of rows each. */
const PARTS: u32 = 1u;
const PART: u32 = 0u; //! repeat PARTS
//! use VALID: linear/every-token
//! use MATRIX: linear/blocks as PART
override TILE_ROWS: u32 = 8u;
override TILE_TOKENS: u32 = 8u;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let token = group.y * TILE_TOKENS;
    if (token >= valid_tokens()) { return; }
    let g = group.x;
    if (g >= FIRST_GROUP_PART && g < END_GROUP_PART) { block_PART((g - FIRST_GROUP_PART) * TILE_ROWS, token, thread); }
}
