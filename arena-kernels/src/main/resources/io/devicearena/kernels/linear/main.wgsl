@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let token = group.y * TILE_TOKENS;
    if (token >= valid_tokens()) { return; }
    let g = group.x;
    PARTS
}
