override ROWS: u32 = 64u;

fn valid_count() -> u32 { return ROWS; }
