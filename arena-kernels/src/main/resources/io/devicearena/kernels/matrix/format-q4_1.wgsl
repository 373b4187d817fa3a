//! use matrix/columns
//! use matrix/words
//! use matrix/weights-of-words as M

/* A block of 32 is two f16, the scale and what is added, and 16 bytes: the low halves are the first 16 columns. A unit
   is half of the bytes. */
struct Part_M { head: u32, w0: u32, w1: u32 }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let block = first_words_M + (row * (COLUMNS / 32u) + c / 8u) * 5u;
    let head = unpack2x16float(words_M[block]);
    let pairs = words_M[block + 1u + c % 4u] >> (4u * (c / 4u % 2u));
    return head.x * less(pairs & 0x0f0f0f0fu, 0.0) + head.y;
}

fn part_M(row: u32, u: u32) -> Part_M {
    let block = first_words_M + (row * (COLUMNS / 32u) + u / 2u) * 5u;
    let first = block + 1u + 2u * (u % 2u);
    return Part_M(words_M[block], words_M[first], words_M[first + 1u]);
}
