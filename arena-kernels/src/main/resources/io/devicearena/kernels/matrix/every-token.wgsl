//! use SHAPE: matrix/rows

fn input_token(group: u32) -> u32 { return first_token(group); }
fn is_valid(first: u32, thread: u32) -> bool { return true; }
