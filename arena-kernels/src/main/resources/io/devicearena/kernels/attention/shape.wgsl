override KV_HEADS: u32 = 2u;
/* The query heads that share a key head. */
override GROUP: u32 = 2u;
/* The vectors of a head. */
override WIDTH: u32 = 16u;
override CACHE_ROWS: u32 = 1024u;
/* The positions that a query sees. */
override REACH: u32 = 1024u;
override SCALE: f32 = 0.125f;
