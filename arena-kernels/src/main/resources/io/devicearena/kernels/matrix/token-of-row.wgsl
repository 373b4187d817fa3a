@group(0) @binding(4) var<storage, read> tokens: array<u32>;

fn token_of(row: u32) -> u32 { return tokens[row]; }
