@group(0) @binding(0) var<storage, read> cursor: array<u32>;
override ROWS: u32 = 64u;

fn valid_count() -> u32 { return cursor[1]; }
