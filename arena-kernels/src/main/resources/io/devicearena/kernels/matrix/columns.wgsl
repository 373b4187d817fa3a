override COLUMNS: u32 = 256u;
