// elementwise

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

// ELEMENT, made by the step
const first_in_0: u32 = 0u; //! job
@group(0) @binding(0) var<storage, read> in_0: array<u32>;
const first_in_1: u32 = 0u; //! job
@group(0) @binding(1) var<storage, read> in_1: array<u32>;
const first_in_2: u32 = 0u; //! job
@group(0) @binding(2) var<storage, read> in_2: array<u32>;

fn place(i: u32) -> u32 { return i; }

fn element(i: u32) -> u32 {
    let i_2 = i % 64u;
    let i_over_2 = i / 64u;
    let i_1 = i_over_2 % 32u;
    let i_over_1 = i_over_2 / 32u;
    let i_0 = i_over_1;
    let v_0 = bitcast<f32>(in_0[first_in_0 + 0u + i]);
    let v_1 = bitcast<f32>(in_1[first_in_1 + 0u + i_1]);
    let v_2 = (v_0 * v_1);
    let v_3 = bitcast<i32>(in_2[first_in_2 + 0u + 0u]);
    let v_4 = bitcast<f32>(1065353216u);
    let v_5 = bitcast<f32>(1056964608u);
    let v_6 = (v_0 * v_5);
    let v_7 = bitcast<f32>(1060439283u);
    let v_8 = (v_0 * v_7);
    let v_9 = error_function(v_8);
    let v_10 = (v_9 + v_4);
    let v_11 = (v_6 * v_10);
    let v_12 = select(v_11, v_4, v_3 != 0);
    let v_13 = (v_2 + v_12);
    let v_14 = bitcast<f32>(0u);
    let v_15 = max(v_13, v_14);
    let v_16 = bitcast<f32>(1086324736u);
    let v_17 = min(v_15, v_16);
    return bitcast<u32>(v_17);
}

// step/elements.wgsl
override ELEMENTS: u32 = 8192u;
override STRIDE: u32 = 8192u;
const first_out: u32 = 0u; //! job

@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < ELEMENTS; i += STRIDE) { out[first_out + place(i)] = element(i); }
}
