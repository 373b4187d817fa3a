//! use matrix/tile-of-matrix as M
const HALF: u32 = 0u; //! repeat 2
const TOKEN: u32 = 0u; //! repeat 4

/* 8 tokens by 8 rows for each thread, 4 of them in each half of the tile; the next loads wait for nothing. */
fn elements_M(first: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let a = thread % SIDE;
    let b = thread / SIDE;
    let r = thread % TILE;
    let q = thread / TILE;
    var sa_HALF_TOKEN = vec4<f32>();
    var sb_HALF_TOKEN = vec4<f32>();
    var x0 = input_or_zero(token + r, q);
    var x1 = input_or_zero(token + r, q + 2u);
    var w0 = weights_or_zero_M(row + r, q);
    var w1 = weights_or_zero_M(row + r, q + 2u);
    for (var k = q; k < COLUMNS / 4u + q; k += DEPTH / 4u) {
        workgroupBarrier();
        put_input(r, q, x0);
        put_input(r, q + 2u, x1);
        put_weights(r, q, w0);
        put_weights(r, q + 2u, w1);
        workgroupBarrier();
        x0 = input_or_zero(token + r, k + 4u);
        x1 = input_or_zero(token + r, k + 6u);
        w0 = weights_or_zero_M(row + r, k + 4u);
        w1 = weights_or_zero_M(row + r, k + 6u);
        for (var j = 0u; j < DEPTH; j++) {
            let wa = weights[j * (2u * SIDE) + a];
            let wb = weights[j * (2u * SIDE) + SIDE + a];
            let v_0 = inputs[j * (2u * SIDE) + b];
            let v_1 = inputs[j * (2u * SIDE) + SIDE + b];
            sa_HALF_TOKEN += v_HALF[TOKEN] * wa;
            sb_HALF_TOKEN += v_HALF[TOKEN] * wb;
        }
    }
    var all: Elements;
    all[8u * HALF + 2u * TOKEN] = sa_HALF_TOKEN;
    all[8u * HALF + 2u * TOKEN + 1u] = sb_HALF_TOKEN;
    return all;
}

fn store_M(row: u32, token: u32, thread: u32, all: Elements) {
    let r = row + thread % SIDE * 4u;
    let t = token + thread / SIDE * 4u;
    store4_M(t + HALF * 64u + TOKEN, r, all[8u * HALF + 2u * TOKEN]);
    store4_M(t + HALF * 64u + TOKEN, r + 64u, all[8u * HALF + 2u * TOKEN + 1u]);
}
