@group(0) @binding(0) var<storage, read> cursor: array<u32>;

fn valid_tokens() -> u32 { return cursor[1]; }
