//! use matrix/columns
//! use matrix/words
//! use matrix/weights-of-words as M

/* A block of 32 is an f16, 4 bytes of fifth bits, and 16 bytes: the low halves are the first 16 columns. A unit is
   half of the bytes. */
struct Part_M { head: u32, next: u32, w0: u32, w1: u32, w2: u32, u: u32, middle: bool }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 22u;
    let middle = at % 4u == 0u;
    let first = first_words_M + at / 4u;
    let fifth = join(words_M[first], words_M[first + 1u], middle) >> (4u * (c % 8u));
    let pairs = join(words_M[first + 1u + c % 4u], words_M[first + 2u + c % 4u], middle) >> (4u * (c / 4u % 2u));
    let q = (pairs & 0x0f0f0f0fu) | fifth_bits(fifth);
    return half_of(words_M[first], !middle) * less(q, 16.0);
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 2u) * 22u;
    let block = first_words_M + at / 4u;
    let first = block + 1u + 2u * (u % 2u);
    return Part_M(
        words_M[block], words_M[block + 1u], words_M[first], words_M[first + 1u], words_M[first + 2u], u,
        at % 4u == 0u);
}
