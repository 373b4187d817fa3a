fn is_valid(row: u32) -> bool { return true; }
