// gated product
enable subgroups;
// step/lanes-in-subgroups.wgsl

override SUBGROUP: u32 = 32u;
override THREADS: u32 = 128u;
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
const PER_LANE: u32 = 2u;
const UNROLLED: u32 = 1u;

alias Elements = array<f32, PER_LANE>;

fn first_token(group: u32) -> u32 { return group; }
fn first_row(group: u32, thread: u32) -> u32 { return (group * (THREADS / LANES) + thread / LANES) * PER_LANE; }

fn gated(gate: Elements, up: Elements) -> Elements {
    var all: Elements;
    all[0u] = activation_M(gate[0u]) * up[0u];
    all[1u] = activation_M(gate[1u]) * up[1u];
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
override END_GROUP_0: u32 = 512u;

@group(0) @binding(1) var<storage, read_write> out_0: array<f32>;
const first_out_0: u32 = 0u; //! job

// matrix/input-of-eight.wgsl, _M is _0

/* A unit is 8 columns. */
struct Input_0 { x0: vec4<f32>, x1: vec4<f32> }

fn input_0(token: u32, u: u32) -> Input_0 { return Input_0(input(token, 2u * u), input(token, 2u * u + 1u)); }

// matrix/weights-of-vectors.wgsl, _M is _0
@group(0) @binding(2) var<storage, read> words_0: array<vec4<u32>>;
const first_words_0: u32 = 0u; //! job

// matrix/four-f16.wgsl, _M is _0
/* Four elements of two words. */
fn four_0(a: u32, b: u32) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(a), unpack2x16float(b));
}

// matrix/format-halves.wgsl, _M is _0

/* A unit is 8 columns. */
struct Part_0 { eight: vec4<u32> }

fn quad_0(row: u32, c: u32) -> vec4<f32> {
    let eight = words_0[first_words_0 / 4u + row * (COLUMNS / 8u) + c / 2u];
    return four_0(select(eight.x, eight.z, c % 2u == 1u), select(eight.y, eight.w, c % 2u == 1u));
}

fn part_0(row: u32, u: u32) -> Part_0 {
    return Part_0(words_0[first_words_0 / 4u + row * (COLUMNS / 8u) + u]);
}

// matrix/product-halves.wgsl, _M is _0

fn product_0(p: Part_0, x: Input_0) -> f32 {
    return dot(four_0(p.eight.x, p.eight.y), x.x0) + dot(four_0(p.eight.z, p.eight.w), x.x1);
}

// matrix/rows-of-matrix.wgsl, _M is _0
override UNITS_0: u32 = 128u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_0 {
    p_0_0: Part_0,
    p_1_0: Part_0,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_0(row: u32, thread: u32) -> Loaded_0 {
    var loaded: Loaded_0;
    if (UNITS_0 <= UNROLLED * LANES) {
        loaded.p_0_0 = part_0(min(row + 0u, ROWS_0 - 1u), min(thread % LANES + 0u * LANES, UNITS_0 - 1u));
        loaded.p_1_0 = part_0(min(row + 1u, ROWS_0 - 1u), min(thread % LANES + 0u * LANES, UNITS_0 - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_0(loaded: Loaded_0, row: u32, token: u32, thread: u32) -> Elements {
    let r_0 = min(row + 0u, ROWS_0 - 1u);
    let r_1 = min(row + 1u, ROWS_0 - 1u);
    var s_0 = 0.0;
    var s_1 = 0.0;
    var u = thread % LANES;
    if (UNITS_0 <= UNROLLED * LANES) {
        let x_0 = input_0(token, min(u + 0u * LANES, UNITS_0 - 1u));
        s_0 += select(0.0, product_0(loaded.p_0_0, x_0), u + 0u * LANES < UNITS_0);
        s_1 += select(0.0, product_0(loaded.p_1_0, x_0), u + 0u * LANES < UNITS_0);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_0; u += UNROLLED * LANES) {
            let p_0_0 = part_0(r_0, u + 0u * LANES);
            let p_1_0 = part_0(r_1, u + 0u * LANES);
            let x_0 = input_0(token, u + 0u * LANES);
            s_0 += product_0(p_0_0, x_0);
            s_1 += product_0(p_1_0, x_0);
        }
        for (; u < UNITS_0; u += LANES) {
            let x = input_0(token, u);
            let p_0 = part_0(r_0, u);
            let p_1 = part_0(r_1, u);
            s_0 += product_0(p_0, x);
            s_1 += product_0(p_1, x);
        }
    }
    var all: Elements;
    all[0u] = lanes_sum(s_0, thread);
    all[1u] = lanes_sum(s_1, thread);
    return all;
}

fn store_0(row: u32, out_token: u32, thread: u32, all: Elements) {
    let at = first_out_0 + out_token * OUT_COLUMNS_0 + row;
    if (thread % LANES == 0u) {
        if (row + 0u < ROWS_0) { out_0[at + 0u] = biased_0(row + 0u, all[0u]); }
        if (row + 1u < ROWS_0) { out_0[at + 1u] = biased_0(row + 1u, all[1u]); }
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

const first_out_1: u32 = 0u; //! job

// matrix/input-of-eight.wgsl, _M is _1

/* A unit is 8 columns. */
struct Input_1 { x0: vec4<f32>, x1: vec4<f32> }

fn input_1(token: u32, u: u32) -> Input_1 { return Input_1(input(token, 2u * u), input(token, 2u * u + 1u)); }

// matrix/weights-of-vectors.wgsl, _M is _1
@group(0) @binding(3) var<storage, read> words_1: array<vec4<u32>>;
const first_words_1: u32 = 0u; //! job

// matrix/four-f16.wgsl, _M is _1
/* Four elements of two words. */
fn four_1(a: u32, b: u32) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(a), unpack2x16float(b));
}

// matrix/format-halves.wgsl, _M is _1

/* A unit is 8 columns. */
struct Part_1 { eight: vec4<u32> }

fn quad_1(row: u32, c: u32) -> vec4<f32> {
    let eight = words_1[first_words_1 / 4u + row * (COLUMNS / 8u) + c / 2u];
    return four_1(select(eight.x, eight.z, c % 2u == 1u), select(eight.y, eight.w, c % 2u == 1u));
}

fn part_1(row: u32, u: u32) -> Part_1 {
    return Part_1(words_1[first_words_1 / 4u + row * (COLUMNS / 8u) + u]);
}

// matrix/product-halves.wgsl, _M is _1

fn product_1(p: Part_1, x: Input_1) -> f32 {
    return dot(four_1(p.eight.x, p.eight.y), x.x0) + dot(four_1(p.eight.z, p.eight.w), x.x1);
}

// matrix/rows-of-matrix.wgsl, _M is _1
override UNITS_1: u32 = 128u;

/* UNROLLED units of PER_LANE rows, as they are in memory: unpacking them here would wait for them. */
struct Loaded_1 {
    p_0_0: Part_1,
    p_1_0: Part_1,
}

/* What a lane multiplies of rows so short that UNROLLED units of each lane are all; else nothing yet. */
fn load_1(row: u32, thread: u32) -> Loaded_1 {
    var loaded: Loaded_1;
    if (UNITS_1 <= UNROLLED * LANES) {
        loaded.p_0_0 = part_1(min(row + 0u, ROWS_1 - 1u), min(thread % LANES + 0u * LANES, UNITS_1 - 1u));
        loaded.p_1_0 = part_1(min(row + 1u, ROWS_1 - 1u), min(thread % LANES + 0u * LANES, UNITS_1 - 1u));
    }
    return loaded;
}

/* The elements of PER_LANE rows from one on, which LANES neighbours compute. Of long rows UNROLLED units are loaded at
   a time, so that they wait together. */
fn elements_1(loaded: Loaded_1, row: u32, token: u32, thread: u32) -> Elements {
    let r_0 = min(row + 0u, ROWS_1 - 1u);
    let r_1 = min(row + 1u, ROWS_1 - 1u);
    var s_0 = 0.0;
    var s_1 = 0.0;
    var u = thread % LANES;
    if (UNITS_1 <= UNROLLED * LANES) {
        let x_0 = input_1(token, min(u + 0u * LANES, UNITS_1 - 1u));
        s_0 += select(0.0, product_1(loaded.p_0_0, x_0), u + 0u * LANES < UNITS_1);
        s_1 += select(0.0, product_1(loaded.p_1_0, x_0), u + 0u * LANES < UNITS_1);
    } else {
        for (; u + (UNROLLED - 1u) * LANES < UNITS_1; u += UNROLLED * LANES) {
            let p_0_0 = part_1(r_0, u + 0u * LANES);
            let p_1_0 = part_1(r_1, u + 0u * LANES);
            let x_0 = input_1(token, u + 0u * LANES);
            s_0 += product_1(p_0_0, x_0);
            s_1 += product_1(p_1_0, x_0);
        }
        for (; u < UNITS_1; u += LANES) {
            let x = input_1(token, u);
            let p_0 = part_1(r_0, u);
            let p_1 = part_1(r_1, u);
            s_0 += product_1(p_0, x);
            s_1 += product_1(p_1, x);
        }
    }
    var all: Elements;
    all[0u] = lanes_sum(s_0, thread);
    all[1u] = lanes_sum(s_1, thread);
    return all;
}

fn store_1(row: u32, out_token: u32, thread: u32, all: Elements) {
    let at = first_out_1 + out_token * OUT_COLUMNS_1 + row;
    if (thread % LANES == 0u) {
        if (row + 0u < ROWS_1) { out_0[at + 0u] = biased_1(row + 0u, all[0u]); }
        if (row + 1u < ROWS_1) { out_0[at + 1u] = biased_1(row + 1u, all[1u]); }
    }
}

// matrix/gated-product.wgsl
/* The first half of a gated layer: matrix 0 is the gate, matrix 1 what it lets through. */

/* What is loaded of short rows does not wait for the input, see rows-of-matrix.wgsl. */
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let out_token = first_token(group.y);
    if (!is_valid(out_token, thread)) { return; }
    let token = input_token(group.y);
    let g = group.x;
    let row = first_row(g, thread);
    let loaded_0 = load_0(row, thread);
    let loaded_1 = load_1(row, thread);
    prepare(token, thread, group.x == 0u);
    let gate = elements_0(loaded_0, row, token, thread);
    store_0(row, out_token, thread, gated(gate, elements_1(loaded_1, row, token, thread)));
}
