override ROWS_M: u32;
override OUT_COLUMNS_M: u32;

fn weights_or_zero_M(row: u32, c: u32) -> vec4<f32> {
    if (c >= COLUMNS / 4u) { return vec4<f32>(); }
    return quad_M(min(row, ROWS_M - 1u), c);
}

/* 4 tokens by 4 rows for each thread. Each team of threads has a share of the columns. */
/* Tiles load as they go. */
struct Loaded_M { none: u32 }
fn load_M(row: u32, thread: u32) -> Loaded_M { return Loaded_M(); }

fn elements_M(first: Loaded_M, row: u32, token: u32, thread: u32) -> Elements {
    let team = thread / (SIDE * SIDE);
    let a = thread % SIDE;
    let b = thread / SIDE % SIDE;
    var s#R = vec4<f32>();
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
            s#R += v.#C * w;
        }
    }
    var all: Elements;
    all[#R] = all_teams(s#R, thread);
    return all;
}

fn store4_M(token: u32, row: u32, v: vec4<f32>) {
    if (token < TOKENS) {
        let at = job.y_M + token * OUT_COLUMNS_M + row;
        if (row < ROWS_M) { OUT_M[at] = v.x; }
        if (row + 1u < ROWS_M) { OUT_M[at + 1u] = v.y; }
        if (row + 2u < ROWS_M) { OUT_M[at + 2u] = v.z; }
        if (row + 3u < ROWS_M) { OUT_M[at + 3u] = v.w; }
    }
}

fn store_M(row: u32, token: u32, thread: u32, all: Elements) {
    let r = row + thread % SIDE * 4u;
    let t = token + thread / SIDE * 4u;
    if (thread >= SIDE * SIDE) { return; }
    store4_M(t + #Ru, r, all[#R]);
}
