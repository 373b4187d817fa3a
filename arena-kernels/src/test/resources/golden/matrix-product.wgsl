// matrix-product
enable subgroups;
// product/sizes.wgsl
/* The sizes of a product, and of the work that a workgroup does. */
override ROWS: u32 = 1u;
override COLUMNS: u32 = 333u;
override DEPTH: u32 = 257u;

// elementwise/functions.wgsl
fn sigmoid(x: f32) -> f32 { return 1.0 / (1.0 + exp(clamp(-x, -80.0, 80.0))); }

fn tangent(x: f32) -> f32 { return 1.0 - 2.0 / (exp(clamp(2.0 * x, -80.0, 80.0)) + 1.0); }

/* An angle without whole turns: a device has a sine near 0 only. The first product is exact below 32768 turns. */
fn less_turns(x: f32) -> f32 {
    let turns = round(x * 0.15915494);
    return (x - turns * 6.28125) - turns * 0.0019353072;
}

/* Abramowitz and Stegun, 7.1.26. */
fn error_function(x: f32) -> f32 {
    let a = abs(x);
    let t = 1.0 / (1.0 + 0.3275911 * a);
    let p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    return sign(x) * (1.0 - p * exp(-a * a));
}

/* WGSL defines the power of a base of 0 or more. */
fn power(base: f32, exponent: f32) -> f32 {
    let p = pow(abs(base), exponent);
    let is_odd = abs(exponent) % 2.0 == 1.0;
    return select(select(p, -p, base < 0.0 && is_odd), 1.0, exponent == 0.0);
}

fn modulo(a: f32, b: f32) -> f32 { return a - b * floor(a / b); }

fn modulo_of_integers(a: i32, b: i32) -> i32 {
    let rest = a % b;
    return select(select(rest, rest + b, rest != 0 && (rest < 0) != (b < 0)), a, b == 0);
}

// FINISH, made by the step
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> more_1: array<f32>;

fn finish(at: u32, channel: u32, sum: f32) {
    let v_0 = sum;
    let v_1 = more_1[channel];
    let v_2 = (v_0 + v_1);
    let v_3 = out[at];
    let v_4 = (v_2 + v_3);
    out[at] = v_4;
}

// product/matrices.wgsl
override LEFT_ROW: u32 = 257u;
override LEFT_DEPTH: u32 = 1u;
override RIGHT_COLUMN: u32 = 1u;
override RIGHT_DEPTH: u32 = 333u;
/* The axes of many products: their sizes, and the matrices from one to the next of both operands. */
override SIZE_0: u32 = 1u;
override SIZE_1: u32 = 1u;
override SIZE_2: u32 = 1u;
override SIZE_3: u32 = 2u;
override LEFT_0: u32 = 0u;
override LEFT_1: u32 = 0u;
override LEFT_2: u32 = 0u;
override LEFT_3: u32 = 1u;
override RIGHT_0: u32 = 0u;
override RIGHT_1: u32 = 0u;
override RIGHT_2: u32 = 0u;
override RIGHT_3: u32 = 0u;

@group(0) @binding(2) var<storage, read> left_values: array<f32>;
@group(0) @binding(3) var<storage, read> right_values: array<f32>;
const first_left_values: u32 = 0u; //! job
const first_right_values: u32 = 0u; //! job

struct Place { first: u32 }

fn axes(product: u32) -> vec4<u32> {
    return vec4<u32>(
        product / (SIZE_1 * SIZE_2 * SIZE_3) % SIZE_0,
        product / (SIZE_2 * SIZE_3) % SIZE_1,
        product / SIZE_3 % SIZE_2,
        product % SIZE_3);
}

fn sum_of(v: vec4<u32>) -> u32 { return v.x + v.y + v.z + v.w; }

fn left(product: u32, row: u32, k: u32) -> f32 {
    let matrix = sum_of(axes(product) * vec4<u32>(LEFT_0, LEFT_1, LEFT_2, LEFT_3));
    return left_values[first_left_values + matrix * (ROWS * DEPTH) + row * LEFT_ROW + k * LEFT_DEPTH];
}

fn place_of(product: u32, column: u32) -> Place {
    let matrix = sum_of(axes(product) * vec4<u32>(RIGHT_0, RIGHT_1, RIGHT_2, RIGHT_3));
    return Place(first_right_values + matrix * (DEPTH * COLUMNS) + column * RIGHT_COLUMN);
}

fn right(place: Place, k: u32) -> f32 { return right_values[place.first + k * RIGHT_DEPTH]; }

fn store(product: u32, row: u32, column: u32, sum: f32) {
    if (row < ROWS && column < COLUMNS) { finish((product * ROWS + row) * COLUMNS + column, column, sum); }
}

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

// product/few-rows.wgsl
/* A product of few rows: LANES threads share the depth of a column. */

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let column = group.x * (THREADS / LANES) + thread / LANES;
    let place = place_of(group.z, min(column, COLUMNS - 1u));
    var sum = 0.0;
    for (var k = thread % LANES; k < DEPTH; k += LANES) {
        sum = fma(left(group.z, group.y, k), right(place, k), sum);
    }
    let all = lanes_sum(sum, thread);
    if (thread % LANES == 0u) { store(group.z, group.y, column, all); }
}
