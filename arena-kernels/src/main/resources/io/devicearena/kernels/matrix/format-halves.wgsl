//! use matrix/columns
//! use matrix/weights-of-vectors as M
//! use FOUR_M: matrix/four-f16 as M

/* A unit is 8 columns. */
struct Part_M { eight: vec4<u32> }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let eight = words_M[first_words_M / 4u + row * (COLUMNS / 8u) + c / 2u];
    return four_M(select(eight.x, eight.z, c % 2u == 1u), select(eight.y, eight.w, c % 2u == 1u));
}

fn part_M(row: u32, u: u32) -> Part_M {
    return Part_M(words_M[first_words_M / 4u + row * (COLUMNS / 8u) + u]);
}
