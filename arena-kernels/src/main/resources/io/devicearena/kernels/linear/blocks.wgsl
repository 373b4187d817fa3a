//! use linear/block-memory
//! use WEIGHT_M: linear/weight-f32 as M
//! use linear/finish as M
const FOURTH: u32 = 0u; //! repeat 4

/* 4 tokens by 4 rows for each group of lanes, which share the columns. */
fn block_M(first_row: u32, first_token: u32, thread: u32) {
    let lane = thread % LANES;
    let block = thread / LANES;
    let token = first_token + block % TOKEN_BLOCKS * 4u;
    let row = first_row + block / TOKEN_BLOCKS * 4u;
    var s_FOURTH = vec4<f32>();
    for (var c = lane; c < WIDTH; c += LANES) {
        let w_FOURTH = weight_M(row + FOURTH, c);
        let x_FOURTH = input(token + FOURTH, c);
        s_FOURTH += vec4<f32>(dot(x_FOURTH, w_0), dot(x_FOURTH, w_1), dot(x_FOURTH, w_2), dot(x_FOURTH, w_3));
    }
    sums[FOURTH * THREADS + thread] = s_FOURTH;
    let sum = sum_of_lanes(block * LANES, lane);
    if (lane < 4u) { finish_M(token + lane, row, sum); }
}
