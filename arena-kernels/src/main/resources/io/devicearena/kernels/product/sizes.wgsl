/* The sizes of a product, and of the work that a workgroup does. */
override ROWS: u32 = 64u;
override COLUMNS: u32 = 64u;
override DEPTH: u32 = 64u;
