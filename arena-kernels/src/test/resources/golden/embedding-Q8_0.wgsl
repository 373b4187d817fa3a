// embedding
struct Job { first_words_M: u32, first_row: u32, part_rows: u32 }
@group(0) @binding(3) var<uniform> job: Job;
// matrix/columns.wgsl
override COLUMNS: u32 = 1024u;

// matrix/embedding-cursor.wgsl
@group(0) @binding(0) var<storage, read> cursor: array<u32>;

// matrix/token-of-cursor.wgsl

fn token_of(row: u32) -> u32 { return cursor[2]; }

// matrix/words.wgsl
/* Four bytes that begin in the middle of a word, or with the second one. */
fn join(low: u32, high: u32, middle: bool) -> u32 {
    return select(high, (low >> 16u) | (high << 16u), middle);
}

/* Bytes less an offset, and bytes with a sign: those without one take fewer instructions to unpack. */
fn less(word: u32, offset: f32) -> vec4<f32> { return vec4<f32>(unpack4xU8(word)) - offset; }
fn signed_bytes(word: u32) -> vec4<f32> { return less(word ^ 0x80808080u, 128.0); }

/* Bytes of up to 31 less an offset of up to 16, with a sign. */
fn bytes_less(words: vec2<u32>, offset: u32) -> vec2<u32> {
    let signs = vec2<u32>(0x80808080u);
    return ((words | signs) - vec2<u32>(offset * 0x01010101u)) ^ signs;
}

/* The low four bits to bit 4 of each byte. */
fn fifth_bits(bits: u32) -> u32 { return ((bits & 15u) * 0x02040810u) & 0x10101010u; }

/* The f16 in one half of a word. */
fn half_of(word: u32, upper: bool) -> f32 {
    let pair = unpack2x16float(word);
    return select(pair.x, pair.y, upper);
}

fn total4(v: vec4<f32>) -> f32 { return (v.x + v.y) + (v.z + v.w); }

// matrix/weights-of-words.wgsl
@group(0) @binding(1) var<storage, read> words_M: array<u32>;

// matrix/format-q8_0.wgsl

/* A block of 32 is an f16 and 32 bytes; a unit is a quarter of a block. */
struct Part_M { head: u32, w0: u32, w1: u32, w2: u32, middle: bool }

fn quad_M(row: u32, c: u32) -> vec4<f32> {
    let at = (row * (COLUMNS / 32u) + c / 8u) * 34u;
    let scale = half_of(words_M[job.first_words_M + at / 4u], at % 4u == 2u);
    let first = job.first_words_M + (at + 2u) / 4u + c % 8u;
    if (at % 4u == 2u) { return scale * signed_bytes(words_M[first]); }
    return scale * signed_bytes(join(words_M[first], words_M[first + 1u], true));
}

fn part_M(row: u32, u: u32) -> Part_M {
    let at = (row * (COLUMNS / 32u) + u / 4u) * 34u;
    let block = job.first_words_M + at / 4u;
    let first = block + 2u * (u % 4u);
    return Part_M(words_M[block], words_M[first], words_M[first + 1u], words_M[first + 2u], at % 4u == 0u);
}

// matrix/embedding.wgsl
override TABLE_ROWS: u32 = 4096u;
override SCALE: f32 = 1.0f;
/* A part of the table: its first row, and its rows. */

@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.y;
    let c = group.x * 64u + thread;
    if (row >= cursor[1] || c >= COLUMNS / 4u) { return; }
    let token = min(token_of(row), TABLE_ROWS - 1u);
    if (token < job.first_row || token - job.first_row >= job.part_rows) { return; }
    out[row * (COLUMNS / 4u) + c] = SCALE * quad_M(token - job.first_row, c);
}
