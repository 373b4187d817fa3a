/* The threads of a side of a tile, and its rows and tokens. */
override SIDE: u32 = 16u;
override TILE: u32 = 64u;
/* Teams of threads share the columns. */
override TEAMS: u32 = 1u;
override THREADS: u32 = 256u;
override TOKENS: u32 = 64u;
