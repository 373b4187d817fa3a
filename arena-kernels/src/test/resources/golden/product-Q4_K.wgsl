// product
enable subgroups;
// step/lanes-in-subgroups.wgsl

override SUBGROUP: u32 = 32u;
override THREADS: u32 = 128u;
override LANES: u32 = 64u;

var<workgroup> shares: array<f32, THREADS / 4u>;

/* The neighbours that lanes_sum adds up in a subgroup. */
override PART: u32 = min(SUBGROUP, 32u);

/* The sum of 2, 4, 8 ... neighbours in a subgroup. For subgroupAdd NVIDIA's compiler calls a function, and moves loads
   behind the call that could wait for memory together with those before it. */
fn subgroup_sum(value: f32, width: u32) -> f32 {
    var s = value;
    if (width > 64u) { s += subgroupShuffleXor(s, 64u); }
    if (width > 32u) { s += subgroupShuffleXor(s, 32u); }
    if (width > 16u) { s += subgroupShuffleXor(s, 16u); }
    if (width > 8u) { s += subgroupShuffleXor(s, 8u); }
    if (width > 4u) { s += subgroupShuffleXor(s, 4u); }
    if (width > 2u) { s += subgroupShuffleXor(s, 2u); }
    if (width > 1u) { s += subgroupShuffleXor(s, 1u); }
    return s;
}

/* The sum of LANES neighbours. */
fn lanes_sum(value: f32, thread: u32) -> f32 {
    let s = subgroup_sum(value, min(LANES, PART));
    if (LANES > PART) { return sum_of_parts(s, thread); }
    return s;
}

/* The sum of the parts of LANES neighbours, each of which a part's threads hold. */
fn sum_of_parts(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    if (thread % PART == 0u) { shares[thread / PART] = value; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < LANES / PART; i++) { sum += shares[thread / LANES * (LANES / PART) + i]; }
    return sum;
}

fn all_threads(value: f32, thread: u32) -> f32 {
    workgroupBarrier();
    let s = subgroup_sum(value, SUBGROUP);
    if (thread % SUBGROUP == 0u) { shares[thread / SUBGROUP] = s; }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < THREADS / SUBGROUP; i++) { sum += shares[i]; }
    return sum;
}

// activation/silu.wgsl
fn activation_M(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }

// matrix/rows.wgsl
/* The rows of a lane, and the units that it loads at a time. */
const PER_LANE: u32 = 1u;
const UNROLLED: u32 = 1u;

alias Elements = array<f32, PER_LANE>;

fn first_token(group: u32) -> u32 { return group; }
fn first_row(group: u32, thread: u32) -> u32 { return (group * (THREADS / LANES) + thread / LANES) * PER_LANE; }

fn gated(gate: Elements, up: Elements) -> Elements {
    var all: Elements;
    all[0u] = activation_M(gate[0u]) * up[0u];
    return all;
}

// matrix/every-token.wgsl

fn input_token(group: u32) -> u32 { return first_token(group); }
fn is_valid(first: u32, thread: u32) -> bool { return true; }

// matrix/columns.wgsl
override COLUMNS: u32 = 1024u;

// matrix/input-plain.wgsl
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
const first_x: u32 = 0u; //! job

fn prepare(token: u32, thread: u32, is_first: bool) {}
fn input(token: u32, c: u32) -> vec4<f32> { return x[first_x / 4u + token * (COLUMNS / 4u) + c]; }

// matrix/bias-none.wgsl, _M is _0
fn biased_0(row: u32, product: f32) -> f32 { return product; }

// matrix/part.wgsl, _M is _0
/* The rows of the matrix, its units, and the groups of workgroups that multiply it. */
override ROWS_0: u32 = 4096u;
override OUT_COLUMNS_0: u32 = 4096u;
override FIRST_GROUP_0: u32 = 0u;
override END_GROUP_0: u32 = 2048u;

@group(0) @binding(1) var<storage, read_write> out_0: array<f32>;
const first_out_0: u32 = 0u; //! job

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

// matrix/quants-of-super-blocks.wgsl, _M is _0
/* A unit is 8 columns of one block and 8 of the next. */
struct Quants_0 { low: vec2<u32>, high: vec2<u32> }

// matrix/weights-of-vectors.wgsl, _M is _0
@group(0) @binding(2) var<storage, read> words_0: array<vec4<u32>>;
const first_words_0: u32 = 0u; //! job

// matrix/format-q4_k.wgsl, _M is _0

/* A super-block of 256 is two f16, 12 bytes of scales and minima, and 128 bytes: in each 32 of them the low halves are
   32 columns, the high halves the next 32. A unit is 8 of these bytes. */
struct Part_0 { u: u32, header: vec4<u32>, four: vec4<u32> }

fn part_0(row: u32, u: u32) -> Part_0 {
    let at = first_words_0 / 4u + (row * (COLUMNS / 256u) + u / 16u) * 9u;
    return Part_0(u, words_0[at], words_0[at + 1u + u / 2u % 8u]);
}

fn quants_0(p: Part_0) -> Quants_0 {
    let q = select(p.four.xy, p.four.zw, p.u % 2u == 1u);
    return Quants_0(q & vec2<u32>(0x0f0f0f0fu), (q >> vec2<u32>(4u)) & vec2<u32>(0x0f0f0f0fu));
}

// matrix/scales-of-super-blocks.wgsl, _M is _0
/* The header of super-blocks with 8 scales and 8 minima: two f16, and 12 bytes of 6 bits each. */

/* The 6-bit scales, or minima, of blocks 2g and 2g + 1, in two bytes. */
fn six_0(plain: u32, packed: u32, g: u32) -> vec2<f32> {
    let shift = 16u * (g % 2u);
    let p = plain >> shift;
    let pair = select(((packed >> shift) & 0x0f0fu) | ((p >> 2u) & 0x3030u), p & 0x3f3fu, g < 2u);
    return vec2<f32>(f32(pair & 255u), f32((pair >> 8u) & 255u));
}

fn scales_0(header: vec4<u32>, g: u32) -> vec2<f32> {
    return unpack2x16float(header.x).x * six_0(header.y, header.w, g);
}
fn minima_0(header: vec4<u32>, g: u32) -> vec2<f32> {
    return unpack2x16float(header.x).y * six_0(header.z, header.w >> 4u, g);
}

// matrix/super-blocks.wgsl, _M is _0

fn quad_0(row: u32, c: u32) -> vec4<f32> {
    let p = part_0(row, c / 64u * 16u + c / 16u % 4u * 4u + c / 2u % 4u);
    let q = quants_0(p);
    let is_high = c / 8u % 2u == 1u;
    let words = select(q.low, q.high, is_high);
    let scales = scales_0(p.header, p.u / 4u % 4u);
    let minima = minima_0(p.header, p.u / 4u % 4u);
    return select(scales.x, scales.y, is_high) * less(select(words.x, words.y, c % 2u == 1u), 0.0)
        - select(minima.x, minima.y, is_high);
}

// matrix/product-super-blocks.wgsl, _M is _0

struct Input_0 { x0: vec4<f32>, x1: vec4<f32>, x4: vec4<f32>, x5: vec4<f32>, low: f32, high: f32 }

fn input_0(token: u32, u: u32) -> Input_0 {
    let c = u / 16u * 64u + u / 4u % 4u * 16u + u % 4u * 2u;
    let x0 = input(token, c);
    let x1 = input(token, c + 1u);
    let x4 = input(token, c + 8u);
    let x5 = input(token, c + 9u);
    return Input_0(x0, x1, x4, x5, total4(x0 + x1), total4(x4 + x5));
}

fn product_0(p: Part_0, x: Input_0) -> f32 {
    let q = quants_0(p);
    let low = dot(less(q.low.x, 0.0), x.x0) + dot(less(q.low.y, 0.0), x.x1);
    let high = dot(less(q.high.x, 0.0), x.x4) + dot(less(q.high.y, 0.0), x.x5);
    return dot(scales_0(p.header, p.u / 4u % 4u), vec2<f32>(low, high))
        - dot(minima_0(p.header, p.u / 4u % 4u), vec2<f32>(x.low, x.high));
}

// matrix/rows-of-matrix.wgsl, _M is _0
override UNITS_0: u32 = 64u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_0 {
    p_0_0: Part_0,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_0(row: u32, thread: u32) -> Loaded_0 {
    var loaded: Loaded_0;
    if (UNITS_0 <= UNROLLED * LANES) {
        loaded.p_0_0 = part_0(min(row + 0u, ROWS_0 - 1u), min(thread % LANES + 0u * LANES, UNITS_0 - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_0(loaded: Loaded_0, row: u32, token: u32, thread: u32) -> Elements {
    let r_0 = min(row + 0u, ROWS_0 - 1u);
    var s_0 = 0.0;
    var u = thread % LANES;
    if (UNITS_0 <= UNROLLED * LANES) {
        let x_0 = input_0(token, min(u + 0u * LANES, UNITS_0 - 1u));
        s_0 += select(0.0, product_0(loaded.p_0_0, x_0), u + 0u * LANES < UNITS_0);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_0; u += UNROLLED * LANES) {
            let p_0_0 = part_0(r_0, u + 0u * LANES);
            let x_0 = input_0(token, u + 0u * LANES);
            s_0 += product_0(p_0_0, x_0);
        }
        for (; u < UNITS_0; u += LANES) {
            let x = input_0(token, u);
            let p_0 = part_0(r_0, u);
            s_0 += product_0(p_0, x);
        }
    }
    var all: Elements;
    all[0u] = lanes_sum(s_0, thread);
    return all;
}

fn store_0(row: u32, out_token: u32, thread: u32, all: Elements) {
    let at = first_out_0 + out_token * OUT_COLUMNS_0 + row;
    if (thread % LANES == 0u) {
        if (row + 0u < ROWS_0) { out_0[at + 0u] = biased_0(row + 0u, all[0u]); }
    }
}

// matrix/product.wgsl
/* The products of an input with up to three matrices, a group of rows each. */
const PARTS: u32 = 1u;

/* What is loaded of short rows does not wait for the input, see rows-of-matrix.wgsl. */
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let out_token = first_token(group.y);
    if (!is_valid(out_token, thread)) { return; }
    let token = input_token(group.y);
    let g = group.x;
    let is_in_0 = g >= FIRST_GROUP_0 && g < END_GROUP_0;
    var loaded_0: Loaded_0;
    let row_0 = first_row(g - FIRST_GROUP_0, thread);
    if (is_in_0) { loaded_0 = load_0(row_0, thread); }
    prepare(token, thread, group.x == 0u);
    if (is_in_0) { store_0(row_0, out_token, thread, elements_0(loaded_0, row_0, token, thread)); }
}
