@group(0) @binding(0) var<storage, read> cursor: array<u32>;
const first_cursor: u32 = 0u; //! job

fn input_token(group: u32) -> u32 { return cursor[first_cursor + 1u] - 1u; }
fn is_valid(first: u32, thread: u32) -> bool { return true; }
