//! use SUPER_BLOCK_M: matrix/format-q4_k as M
//! use matrix/scales-of-super-blocks as M

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let p = part_M(row, c / 64u * 16u + c / 16u % 4u * 4u + c / 2u % 4u);
    let q = quants_M(p);
    let is_high = c / 8u % 2u == 1u;
    let words = select(q.low, q.high, is_high);
    let scales = scales_M(p.header, p.u / 4u % 4u);
    let minima = minima_M(p.header, p.u / 4u % 4u);
    return select(scales.x, scales.y, is_high) * less(select(words.x, words.y, c % 2u == 1u), 0.0)
        - select(minima.x, minima.y, is_high);
}
