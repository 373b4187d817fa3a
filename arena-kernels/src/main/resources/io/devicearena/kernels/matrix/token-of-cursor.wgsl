//! use matrix/embedding-cursor

fn token_of(row: u32) -> u32 { return cursor[2]; }
