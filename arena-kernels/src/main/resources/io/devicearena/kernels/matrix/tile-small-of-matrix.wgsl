//! use matrix/tile-of-matrix as M
const TOKEN: u32 = 0u; //! repeat 4

/* 4 tokens by 4 rows for each thread. Each team of threads has a share of the columns. */
fn elements_M(first: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let team = thread / (SIDE * SIDE);
    let a = thread % SIDE;
    let b = thread / SIDE % SIDE;
    var s_TOKEN = vec4<f32>();
    for (var k = 0u; k < COLUMNS / 4u; k += TEAMS * DEPTH / 4u) {
        workgroupBarrier();
        for (var i = thread; i < TEAMS * DEPTH / 4u * TILE; i += THREADS) {
            put_input(i % TILE, i / TILE, input_or_zero(token + i % TILE, k + i / TILE));
            put_weights(i % TILE, i / TILE, weights_or_zero_M(row + i % TILE, k + i / TILE));
        }
        workgroupBarrier();
        for (var j = team * DEPTH; j < (team + 1u) * DEPTH; j++) {
            let w = weights[j * SIDE + a];
            let v = inputs[j * SIDE + b];
            s_TOKEN += v[TOKEN] * w;
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
