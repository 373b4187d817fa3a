//! use matrix/columns
//! use matrix/weights-of-vectors as M

/* A super-block as in format-q4_k.wgsl. A unit is 16 of its 128 bytes. */
struct Part_M { u: u32, header: vec4<u32>, fours: vec4<u32> }

fn part_M(row: u32, u: u32) -> Part_M {
    let at = first_words_M / 4u + (row * (COLUMNS / 256u) + u / 8u) * 9u;
    return Part_M(u, words_M[at], words_M[at + 1u + u % 8u]);
}

fn low_M(p: Part_M) -> vec4<u32> { return p.fours & vec4<u32>(0x0f0f0f0fu); }
fn high_M(p: Part_M) -> vec4<u32> { return (p.fours >> vec4<u32>(4u)) & vec4<u32>(0x0f0f0f0fu); }
