// normed product
enable subgroups;
// step/lanes-in-subgroups.wgsl

override SUBGROUP: u32 = 32u;
override THREADS: u32 = 256u;
override LANES: u32 = 32u;

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
const UNROLLED: u32 = 2u;

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

// matrix/residual.wgsl
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
const first_x: u32 = 0u; //! job

// matrix/residual-plain.wgsl

const HAS_NORMED_UPDATE = false;
struct Residual { x: vec4<f32> }

fn residual_at(row: u32, c: u32) -> Residual { return Residual(x[first_x / 4u + row + c]); }
fn update_squares(r: Residual) -> f32 { return 0.0; }
fn sum_of(r: Residual, update_scale: f32) -> vec4<f32> { return r.x; }
fn write_sum(row: u32, c: u32, value: vec4<f32>) {}

// matrix/columns.wgsl
override COLUMNS: u32 = 1024u;

// matrix/staged-row.wgsl

/* A row that a workgroup prepares. */
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

// matrix/norm.wgsl
override EPSILON: f32 = 1.0E-6f;
@group(0) @binding(1) var<storage, read> norm: array<vec4<f32>>;
const first_norm: u32 = 0u; //! job

// matrix/input-normed-row.wgsl
/* The vectors of a row that a thread stages. */
const VECTORS: u32 = 1u;

/* Every workgroup norms the row; the first writes the sum of the residual stream. All loads come first, so that they
   wait for memory together. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let row = token * (COLUMNS / 4u);
    let end = COLUMNS / 4u;
    let c_0 = thread + 0u * THREADS;
    let r_0 = residual_at(row, min(c_0, end - 1u));
    let n_0 = norm[first_norm / 4u + min(c_0, end - 1u)];
    var update_scale = 1.0;
    if (HAS_NORMED_UPDATE) {
        var update_sum = 0.0;
        update_sum += select(0.0, update_squares(r_0), c_0 < end);
        update_scale = inverseSqrt(all_threads(update_sum, thread) / f32(COLUMNS) + EPSILON);
    }
    var squares = 0.0;
    let v_0 = sum_of(r_0, update_scale);
    squares += select(0.0, dot(v_0, v_0), c_0 < end);
    if (is_first && c_0 < end) { write_sum(row, c_0, v_0); }
    let scale = inverseSqrt(all_threads(squares, thread) / f32(COLUMNS) + EPSILON);
    if (c_0 < end) { staged[place(c_0)] = v_0 * scale * n_0; }
    workgroupBarrier();
}

// matrix/bias-added.wgsl, _M is _0
@group(0) @binding(2) var<storage, read> bias_0: array<f32>;
const first_bias_0: u32 = 0u; //! job

fn biased_0(row: u32, product: f32) -> f32 { return product + bias_0[first_bias_0 + row]; }

// matrix/part.wgsl, _M is _0
/* The rows of the matrix, its units, and the groups of workgroups that multiply it. */
override ROWS_0: u32 = 4096u;
override OUT_COLUMNS_0: u32 = 4096u;
override FIRST_GROUP_0: u32 = 0u;
override END_GROUP_0: u32 = 512u;

@group(0) @binding(3) var<storage, read_write> out_0: array<f32>;
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

// matrix/weights-of-words.wgsl, _M is _0
@group(0) @binding(4) var<storage, read> words_0: array<u32>;
const first_words_0: u32 = 0u; //! job

// matrix/format-q6_k.wgsl, _M is _0

/* A super-block of 256 is 128 bytes of low halves, 64 of upper pairs of bits, 16 scales of 8 bits, and an f16. A unit
   is 4 columns and those 32, 64 and 96 after them. */
struct Part_0 { odd: u32, middle: bool, a: vec2<u32>, b: vec2<u32>, pairs: vec2<u32>, scales: vec3<u32>, scale: u32 }

/* The words that hold 4 bytes from an even offset, and those bytes. */
fn two_0(at: u32) -> vec2<u32> {
    let first = first_words_0 + at / 4u;
    return vec2<u32>(words_0[first], words_0[first + 1u]);
}
fn joined_0(two: vec2<u32>, middle: bool) -> u32 { return select(two.x, join(two.x, two.y, true), middle); }

fn part_0(row: u32, u: u32) -> Part_0 {
    let at = (row * (COLUMNS / 256u) + u / 16u) * 210u;
    let h = u / 8u % 2u;
    let four = 4u * (u % 8u);
    let eight = at + 192u + 8u * h;
    return Part_0(
        u / 4u % 2u, at % 4u == 2u,
        two_0(at + 64u * h + four), two_0(at + 64u * h + 32u + four), two_0(at + 128u + 32u * h + four),
        vec3<u32>(two_0(eight), words_0[first_words_0 + eight / 4u + 2u]), words_0[first_words_0 + (at + 208u) / 4u]);
}

/* The scales of the blocks that hold columns 0, 32, 64 and 96 after the first. */
fn scales_0(p: Part_0) -> vec4<f32> {
    let a = unpack4xI8(joined_0(p.scales.xy, p.middle) >> (8u * p.odd));
    let b = unpack4xI8(joined_0(p.scales.yz, p.middle) >> (8u * p.odd));
    return half_of(p.scale, p.middle) * vec4<f32>(f32(a.x), f32(a.z), f32(b.x), f32(b.z));
}

/* The columns of a unit, in bytes. */
fn quants_0(p: Part_0) -> vec4<u32> {
    let a = joined_0(p.a, p.middle);
    let b = joined_0(p.b, p.middle);
    let pairs = joined_0(p.pairs, p.middle);
    let fours = vec4<u32>(a, b, a >> 4u, b >> 4u) & vec4<u32>(0x0f0f0f0fu);
    let twos = vec4<u32>(pairs << 4u, pairs << 2u, pairs, pairs >> 2u) & vec4<u32>(0x30303030u);
    return fours | twos;
}

fn quad_0(row: u32, c: u32) -> vec4<f32> {
    let p = part_0(row, c / 64u * 16u + c / 32u % 2u * 8u + c % 8u);
    let quarter = c / 8u % 4u;
    return scales_0(p)[quarter] * less(quants_0(p)[quarter], 32.0);
}

// matrix/product-q6_k.wgsl, _M is _0

struct Input_0 { x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32> }

fn input_0(token: u32, u: u32) -> Input_0 {
    let c = u / 8u * 32u + u % 8u;
    return Input_0(input(token, c), input(token, c + 8u), input(token, c + 16u), input(token, c + 24u));
}

fn product_0(p: Part_0, x: Input_0) -> f32 {
    let q = quants_0(p);
    return dot(scales_0(p), vec4<f32>(
        dot(less(q.x, 32.0), x.x0), dot(less(q.y, 32.0), x.x1),
        dot(less(q.z, 32.0), x.x2), dot(less(q.w, 32.0), x.x3)));
}

// matrix/rows-of-matrix.wgsl, _M is _0
override UNITS_0: u32 = 64u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_0 {
    p_0_0: Part_0,
    p_0_1: Part_0,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_0(row: u32, thread: u32) -> Loaded_0 {
    var loaded: Loaded_0;
    if (UNITS_0 <= UNROLLED * LANES) {
        loaded.p_0_0 = part_0(min(row + 0u, ROWS_0 - 1u), min(thread % LANES + 0u * LANES, UNITS_0 - 1u));
        loaded.p_0_1 = part_0(min(row + 0u, ROWS_0 - 1u), min(thread % LANES + 1u * LANES, UNITS_0 - 1u));
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
        let x_1 = input_0(token, min(u + 1u * LANES, UNITS_0 - 1u));
        s_0 += select(0.0, product_0(loaded.p_0_0, x_0), u + 0u * LANES < UNITS_0);
        s_0 += select(0.0, product_0(loaded.p_0_1, x_1), u + 1u * LANES < UNITS_0);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_0; u += UNROLLED * LANES) {
            let p_0_0 = part_0(r_0, u + 0u * LANES);
            let p_0_1 = part_0(r_0, u + 1u * LANES);
            let x_0 = input_0(token, u + 0u * LANES);
            let x_1 = input_0(token, u + 1u * LANES);
            s_0 += product_0(p_0_0, x_0);
            s_0 += product_0(p_0_1, x_1);
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

// matrix/bias-none.wgsl, _M is _1
fn biased_1(row: u32, product: f32) -> f32 { return product; }

// matrix/part.wgsl, _M is _1
/* The rows of the matrix, its units, and the groups of workgroups that multiply it. */
override ROWS_1: u32 = 4096u;
override OUT_COLUMNS_1: u32 = 4096u;
override FIRST_GROUP_1: u32 = 512u;
override END_GROUP_1: u32 = 1024u;

@group(0) @binding(5) var<storage, read_write> out_1: array<f32>;
const first_out_1: u32 = 0u; //! job

// matrix/weights-of-words.wgsl, _M is _1
@group(0) @binding(6) var<storage, read> words_1: array<u32>;
const first_words_1: u32 = 0u; //! job

// matrix/format-q6_k.wgsl, _M is _1

/* A super-block of 256 is 128 bytes of low halves, 64 of upper pairs of bits, 16 scales of 8 bits, and an f16. A unit
   is 4 columns and those 32, 64 and 96 after them. */
struct Part_1 { odd: u32, middle: bool, a: vec2<u32>, b: vec2<u32>, pairs: vec2<u32>, scales: vec3<u32>, scale: u32 }

/* The words that hold 4 bytes from an even offset, and those bytes. */
fn two_1(at: u32) -> vec2<u32> {
    let first = first_words_1 + at / 4u;
    return vec2<u32>(words_1[first], words_1[first + 1u]);
}
fn joined_1(two: vec2<u32>, middle: bool) -> u32 { return select(two.x, join(two.x, two.y, true), middle); }

fn part_1(row: u32, u: u32) -> Part_1 {
    let at = (row * (COLUMNS / 256u) + u / 16u) * 210u;
    let h = u / 8u % 2u;
    let four = 4u * (u % 8u);
    let eight = at + 192u + 8u * h;
    return Part_1(
        u / 4u % 2u, at % 4u == 2u,
        two_1(at + 64u * h + four), two_1(at + 64u * h + 32u + four), two_1(at + 128u + 32u * h + four),
        vec3<u32>(two_1(eight), words_1[first_words_1 + eight / 4u + 2u]), words_1[first_words_1 + (at + 208u) / 4u]);
}

/* The scales of the blocks that hold columns 0, 32, 64 and 96 after the first. */
fn scales_1(p: Part_1) -> vec4<f32> {
    let a = unpack4xI8(joined_1(p.scales.xy, p.middle) >> (8u * p.odd));
    let b = unpack4xI8(joined_1(p.scales.yz, p.middle) >> (8u * p.odd));
    return half_of(p.scale, p.middle) * vec4<f32>(f32(a.x), f32(a.z), f32(b.x), f32(b.z));
}

/* The columns of a unit, in bytes. */
fn quants_1(p: Part_1) -> vec4<u32> {
    let a = joined_1(p.a, p.middle);
    let b = joined_1(p.b, p.middle);
    let pairs = joined_1(p.pairs, p.middle);
    let fours = vec4<u32>(a, b, a >> 4u, b >> 4u) & vec4<u32>(0x0f0f0f0fu);
    let twos = vec4<u32>(pairs << 4u, pairs << 2u, pairs, pairs >> 2u) & vec4<u32>(0x30303030u);
    return fours | twos;
}

fn quad_1(row: u32, c: u32) -> vec4<f32> {
    let p = part_1(row, c / 64u * 16u + c / 32u % 2u * 8u + c % 8u);
    let quarter = c / 8u % 4u;
    return scales_1(p)[quarter] * less(quants_1(p)[quarter], 32.0);
}

// matrix/product-q6_k.wgsl, _M is _1

struct Input_1 { x0: vec4<f32>, x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32> }

fn input_1(token: u32, u: u32) -> Input_1 {
    let c = u / 8u * 32u + u % 8u;
    return Input_1(input(token, c), input(token, c + 8u), input(token, c + 16u), input(token, c + 24u));
}

fn product_1(p: Part_1, x: Input_1) -> f32 {
    let q = quants_1(p);
    return dot(scales_1(p), vec4<f32>(
        dot(less(q.x, 32.0), x.x0), dot(less(q.y, 32.0), x.x1),
        dot(less(q.z, 32.0), x.x2), dot(less(q.w, 32.0), x.x3)));
}

// matrix/rows-of-matrix.wgsl, _M is _1
override UNITS_1: u32 = 64u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_1 {
    p_0_0: Part_1,
    p_0_1: Part_1,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_1(row: u32, thread: u32) -> Loaded_1 {
    var loaded: Loaded_1;
    if (UNITS_1 <= UNROLLED * LANES) {
        loaded.p_0_0 = part_1(min(row + 0u, ROWS_1 - 1u), min(thread % LANES + 0u * LANES, UNITS_1 - 1u));
        loaded.p_0_1 = part_1(min(row + 0u, ROWS_1 - 1u), min(thread % LANES + 1u * LANES, UNITS_1 - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_1(loaded: Loaded_1, row: u32, token: u32, thread: u32) -> Elements {
    let r_0 = min(row + 0u, ROWS_1 - 1u);
    var s_0 = 0.0;
    var u = thread % LANES;
    if (UNITS_1 <= UNROLLED * LANES) {
        let x_0 = input_1(token, min(u + 0u * LANES, UNITS_1 - 1u));
        let x_1 = input_1(token, min(u + 1u * LANES, UNITS_1 - 1u));
        s_0 += select(0.0, product_1(loaded.p_0_0, x_0), u + 0u * LANES < UNITS_1);
        s_0 += select(0.0, product_1(loaded.p_0_1, x_1), u + 1u * LANES < UNITS_1);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_1; u += UNROLLED * LANES) {
            let p_0_0 = part_1(r_0, u + 0u * LANES);
            let p_0_1 = part_1(r_0, u + 1u * LANES);
            let x_0 = input_1(token, u + 0u * LANES);
            let x_1 = input_1(token, u + 1u * LANES);
            s_0 += product_1(p_0_0, x_0);
            s_0 += product_1(p_0_1, x_1);
        }
        for (; u < UNITS_1; u += LANES) {
            let x = input_1(token, u);
            let p_0 = part_1(r_0, u);
            s_0 += product_1(p_0, x);
        }
    }
    var all: Elements;
    all[0u] = lanes_sum(s_0, thread);
    return all;
}

fn store_1(row: u32, out_token: u32, thread: u32, all: Elements) {
    let at = first_out_1 + out_token * OUT_COLUMNS_1 + row;
    if (thread % LANES == 0u) {
        if (row + 0u < ROWS_1) { out_1[at + 0u] = biased_1(row + 0u, all[0u]); }
    }
}

// matrix/product.wgsl
/* The products of an input with up to three matrices, a group of rows each. */
const PARTS: u32 = 2u;

/* What is loaded of short rows does not wait for the input, see rows-of-matrix.wgsl. */
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let out_token = first_token(group.y);
    if (!is_valid(out_token, thread)) { return; }
    let token = input_token(group.y);
    let g = group.x;
    let is_in_0 = g >= FIRST_GROUP_0 && g < END_GROUP_0;
    let is_in_1 = g >= FIRST_GROUP_1 && g < END_GROUP_1;
    var loaded_0: Loaded_0;
    var loaded_1: Loaded_1;
    let row_0 = first_row(g - FIRST_GROUP_0, thread);
    let row_1 = first_row(g - FIRST_GROUP_1, thread);
    if (is_in_0) { loaded_0 = load_0(row_0, thread); }
    if (is_in_1) { loaded_1 = load_1(row_1, thread); }
    prepare(token, thread, group.x == 0u);
    if (is_in_0) { store_0(row_0, out_token, thread, elements_0(loaded_0, row_0, token, thread)); }
    if (is_in_1) { store_1(row_1, out_token, thread, elements_1(loaded_1, row_1, token, thread)); }
}
