//! use matrix/part as M
//! use matrix/tile
//! use PRODUCT_M: matrix/format-f32 as M

fn weights_or_zero_M(row: u32, c: u32) -> vec4<f32> {
    if (c >= COLUMNS / 4u) { return vec4<f32>(); }
    return quad_M(min(row, ROWS_M - 1u), c);
}

/* Tiles load as they go. */
struct Loaded_M { none: u32 }
fn load_M(row: u32, thread: u32) -> Loaded_M { return Loaded_M(); }

fn store4_M(token: u32, row: u32, v: vec4<f32>) {
    if (token < TOKENS) {
        let at = first_out_M + token * OUT_COLUMNS_M + row;
        if (row < ROWS_M) { out_M[at] = biased_M(row, v.x); }
        if (row + 1u < ROWS_M) { out_M[at + 1u] = biased_M(row + 1u, v.y); }
        if (row + 2u < ROWS_M) { out_M[at + 2u] = biased_M(row + 2u, v.z); }
        if (row + 3u < ROWS_M) { out_M[at + 3u] = biased_M(row + 3u, v.w); }
    }
}
