/* A unit is 8 columns of one block and 8 of the next. */
struct Quants_M { low: vec2<u32>, high: vec2<u32> }
