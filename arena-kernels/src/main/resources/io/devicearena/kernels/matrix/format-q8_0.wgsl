//! use matrix/columns
//! use matrix/words
//! use matrix/weights-of-words as M

/* A block of 32 is an f16 and 32 bytes; a unit is a quarter of a block. */
struct Part_M { head: u32, w0: u32, w1: u32, w2: u32, middle: bool }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 34u;
    let scale = half_of(words_M[first_words_M + at / 4u], at % 4u == 2u);
    let first = first_words_M + (at + 2u) / 4u + c % 8u;
    if (at % 4u == 2u) { return scale * signed_bytes(words_M[first]); }
    return scale * signed_bytes(join(words_M[first], words_M[first + 1u], true));
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 4u) * 34u;
    let block = first_words_M + at / 4u;
    let first = block + 2u * (u % 4u);
    return Part_M(words_M[block], words_M[first], words_M[first + 1u], words_M[first + 2u], at % 4u == 0u);
}
