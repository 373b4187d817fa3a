// convolution

// product/sizes.wgsl
/* The sizes of a product, and of the work that a workgroup does. */
override ROWS: u32 = 32u;
override COLUMNS: u32 = 256u;
override DEPTH: u32 = 144u;

// convolution/window.wgsl
/* Images, and the window that moves over them. */
override CHANNELS: u32 = 16u;
override HEIGHT: u32 = 32u;
override WIDTH: u32 = 32u;
override OUT_CHANNELS: u32 = 32u;
override OUT_HEIGHT: u32 = 16u;
override OUT_WIDTH: u32 = 16u;
override ELEMENTS: u32 = 16384u;
override SIZE_Y: u32 = 3u;
override SIZE_X: u32 = 3u;
override STRIDE_Y: u32 = 2u;
override STRIDE_X: u32 = 2u;
override BEFORE_Y: u32 = 1u;
override BEFORE_X: u32 = 1u;
override DILATION_Y: u32 = 1u;
override DILATION_X: u32 = 1u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
const first_input: u32 = 0u; //! job

/* An element of the output. */
struct Element { image: u32, channel: u32, y: u32, x: u32 }

fn element_of(i: u32) -> Element {
    let row = i / OUT_WIDTH;
    let plane = row / OUT_HEIGHT;
    return Element(plane / OUT_CHANNELS, plane % OUT_CHANNELS, row % OUT_HEIGHT, i % OUT_WIDTH);
}

/* Numbers below 0 are large ones. */
fn is_inside(y: u32, x: u32) -> bool { return y < HEIGHT && x < WIDTH; }

fn input_at(image: u32, channel: u32, y: u32, x: u32) -> f32 {
    return input[first_input + ((image * CHANNELS + channel) * HEIGHT + y) * WIDTH + x];
}

// convolution/grouped.wgsl
override IN_GROUP: u32 = 16u;
override OUT_GROUP: u32 = 32u;

@group(0) @binding(1) var<storage, read> weights: array<f32>;
const first_weights: u32 = 0u; //! job

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
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read> more_1: array<f32>;
@group(0) @binding(4) var<storage, read> more_2: array<f32>;

fn finish(at: u32, channel: u32, sum: f32) {
    let v_0 = sum;
    let v_1 = more_1[channel];
    let v_2 = (v_0 + v_1);
    let v_3 = more_2[at];
    let v_4 = (v_2 + v_3);
    out[at] = v_4;
}

// convolution/product.wgsl
/* A convolution as a product: rows are channels of the output, columns its places, the depth is what a kernel has. */
override GROUPS: u32 = 1u;

const TAPS = SIZE_Y * SIZE_X;
struct Place { image: u32, channel: u32, y: u32, x: u32 }

fn left(product: u32, row: u32, k: u32) -> f32 {
    return weights[first_weights + (product % GROUPS * ROWS + row) * DEPTH + k];
}

fn place_of(product: u32, column: u32) -> Place {
    let y = column / OUT_WIDTH * STRIDE_Y - BEFORE_Y;
    let x = column % OUT_WIDTH * STRIDE_X - BEFORE_X;
    return Place(product / GROUPS, product % GROUPS * IN_GROUP, y, x);
}

fn right(place: Place, k: u32) -> f32 {
    let y = place.y + k % TAPS / SIZE_X * DILATION_Y;
    let x = place.x + k % SIZE_X * DILATION_X;
    if (!is_inside(y, x)) { return 0.0; }
    return input_at(place.image, place.channel + k / TAPS, y, x);
}

fn store(product: u32, row: u32, column: u32, sum: f32) {
    let channel = product % GROUPS * ROWS + row;
    if (row < ROWS && column < COLUMNS) {
        finish((product / GROUPS * OUT_CHANNELS + channel) * COLUMNS + column, channel, sum);
    }
}

// product/tiles.wgsl
/* A product in tiles: 8 by 8 threads compute HIGH by WIDE sums each, from operands in workgroup memory. */
const HIGH: u32 = 1u;
const WIDE: u32 = 1u;
/* What is in memory at a time of the depth: a power of two, 64 at most. */
const PART: u32 = 32u;

const SIDE = 8u;
const TILE_ROWS = SIDE * HIGH;
const TILE_COLUMNS = SIDE * WIDE;
/* One more, so that neighbours in depth are in different banks. */
const PITCH = TILE_ROWS + 1u;
var<workgroup> lefts: array<f32, PART * PITCH>;
var<workgroup> rights: array<f32, PART * TILE_COLUMNS>;

fn load_left(product: u32, row: u32, first: u32, thread: u32) {
    let k = thread % PART;
    for (var r = thread / PART; r < TILE_ROWS; r += SIDE * SIDE / PART) {
        var v = 0.0;
        if (row + r < ROWS && first + k < DEPTH) { v = left(product, row + r, first + k); }
        lefts[k * PITCH + r] = v;
    }
}

fn load_right(place: Place, column: u32, first: u32, thread: u32) {
    for (var k = thread / TILE_COLUMNS; k < PART; k += SIDE * SIDE / TILE_COLUMNS) {
        var v = 0.0;
        if (column < COLUMNS && first + k < DEPTH) { v = right(place, first + k); }
        rights[k * TILE_COLUMNS + thread % TILE_COLUMNS] = v;
    }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.y * TILE_ROWS;
    let column = group.x * TILE_COLUMNS;
    let loaded = column + thread % TILE_COLUMNS;
    let place = place_of(group.z, loaded);
    let r = thread / SIDE;
    let c = thread % SIDE;
    var s_0_0 = 0.0;
    for (var k = 0u; k < DEPTH; k += PART) {
        workgroupBarrier();
        load_left(group.z, row, k, thread);
        load_right(place, loaded, k, thread);
        workgroupBarrier();
        for (var j = 0u; j < PART; j++) {
            let a_0 = lefts[j * PITCH + 0u * SIDE + r];
            let b_0 = rights[j * TILE_COLUMNS + 0u * SIDE + c];
            s_0_0 = fma(a_0, b_0, s_0_0);
        }
    }
    store(group.z, row + 0u * SIDE + r, column + 0u * SIDE + c, s_0_0);
}
