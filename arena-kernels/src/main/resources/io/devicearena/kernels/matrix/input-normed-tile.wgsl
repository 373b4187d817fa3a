//! use RESIDUAL: matrix/residual-plain
//! use matrix/tile-sizes
//! use matrix/columns
//! use matrix/norm

var<workgroup> scales: array<f32, TILE>;
var<workgroup> update_scales: array<f32, TILE>;
var<workgroup> shares: array<f32, THREADS>;

fn input(token: u32, c: u32) -> vec4<f32> {
    return sum_of(residual_at(token * (COLUMNS / 4u), c), update_scales[token % TILE]) * scales[token % TILE]
        * norm[first_norm / 4u + c];
}

fn scale_of(value: f32, thread: u32) -> f32 {
    let team = THREADS / TILE;
    workgroupBarrier();
    shares[thread] = value;
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < team; i++) { sum += shares[thread - thread % team + i]; }
    return inverseSqrt(sum / f32(COLUMNS) + EPSILON);
}

/* A team of threads for each row of the tile. */
fn prepare(first: u32, thread: u32, is_first: bool) {
    let team = THREADS / TILE;
    let is_real = first + thread / team < TOKENS;
    let row = min(first + thread / team, TOKENS - 1u) * (COLUMNS / 4u);
    var update_scale = 1.0;
    if (HAS_NORMED_UPDATE) {
        var update_sum = 0.0;
        for (var c = thread % team; c < COLUMNS / 4u; c += team) { update_sum += update_squares(residual_at(row, c)); }
        update_scale = scale_of(update_sum, thread);
    }
    var squares = 0.0;
    for (var c = thread % team; c < COLUMNS / 4u; c += team) {
        let v = sum_of(residual_at(row, c), update_scale);
        if (is_first && is_real) { write_sum(row, c, v); }
        squares += dot(v, v);
    }
    let scale = scale_of(squares, thread);
    scales[thread / team] = scale;
    update_scales[thread / team] = update_scale;
    workgroupBarrier();
}
