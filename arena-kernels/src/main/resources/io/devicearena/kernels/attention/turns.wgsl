/* For each vector of 4 elements: their frequencies as fractions of a turn, in units of 2^-32, then what is left of
   them, in units of 2^-44. */
@group(0) @binding(9) var<storage, read> turns: array<vec4<u32>>;

struct Rates { upper: vec4<u32>, lower: vec4<u32> }
struct Turn { sine: vec4<f32>, cosine: vec4<f32> }

fn rates_of(v: u32) -> Rates { return Rates(turns[2u * v], turns[2u * v + 1u]); }

/* The sines and cosines for 4 elements. The nearest quarter of a turn is taken off exactly; Taylor's polynomials of the
   rest, at most π/4, leave out less than 3e-8. */
fn turn(position: u32, rates: Rates) -> Turn {
    let phase = position * rates.upper + ((position * rates.lower) >> vec4<u32>(12u));
    let quarter = (phase + 0x20000000u) >> vec4<u32>(30u);
    let x = vec4<f32>(bitcast<vec4<i32>>(phase - (quarter << vec4<u32>(30u)))) * 1.4629180792671596e-9;
    let s = x * x;
    let a = x + x * s * (-0.16666667 + s * (0.008333334 + s * (-0.0001984127 + s * 2.7557319e-6)));
    let b = 1.0 - s * (0.5 - s * (0.041666668 - s * (0.0013888889 - s * 2.4801587e-5)));
    let is_odd = (quarter & vec4<u32>(1u)) == vec4<u32>(1u);
    let sign = select(vec4<f32>(1.0), vec4<f32>(-1.0), quarter >= vec4<u32>(2u));
    return Turn(sign * select(a, b, is_odd), sign * select(b, -a, is_odd));
}
