@group(0) @binding(0) var<storage, read> cursor: array<u32>;

fn is_valid(row: u32) -> bool { return row < cursor[1]; }
