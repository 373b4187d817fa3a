//! use matrix/tile-of-matrix as M
const TOKEN: u32 = 0u; //! repeat 4

/* 4 tokens by 4 rows for each thread. Each team of threads has a share of the columns; the next loads wait for nothing. */
fn elements_M(first: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let team = thread / (SIDE * SIDE);
    let a = thread % SIDE;
    let b = thread / SIDE % SIDE;
    let r = thread % TILE;
    let q = thread / TILE;
    var s_TOKEN = vec4<f32>();
    var x = input_or_zero(token + r, q);
    var w = weights_or_zero_M(row + r, q);
    for (var k = q; k < COLUMNS / 4u + q; k += TEAMS * DEPTH / 4u) {
        workgroupBarrier();
        put_input(r, q, x);
        put_weights(r, q, w);
        workgroupBarrier();
        x = input_or_zero(token + r, k + TEAMS * DEPTH / 4u);
        w = weights_or_zero_M(row + r, k + TEAMS * DEPTH / 4u);
        for (var j = team * DEPTH; j < (team + 1u) * DEPTH; j++) {
            let four = weights[j * SIDE + a];
            let v = inputs[j * SIDE + b];
            s_TOKEN += v[TOKEN] * four;
        }
    }
    var all: Elements;
    all[TOKEN] = all_teams(s_TOKEN, thread);
    return all;
}

fn store_M(row: u32, token: u32, thread: u32, all: Elements) {
    let r = row + thread % SIDE * 4u;
    let t = token + thread / SIDE * 4u;
    if (thread >= SIDE * SIDE) { return; }
    store4_M(t + TOKEN, r, all[TOKEN]);
}
