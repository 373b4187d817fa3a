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
