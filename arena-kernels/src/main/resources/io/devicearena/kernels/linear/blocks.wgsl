/* 4 tokens by 4 rows for each group of lanes, which share the columns. */
fn block_M(first_row: u32, first_token: u32, thread: u32) {
    let lane = thread % LANES;
    let block = thread / LANES;
    let token = first_token + block % TOKEN_BLOCKS * 4u;
    let row = first_row + block / TOKEN_BLOCKS * 4u;
    var s#T = vec4<f32>();
    for (var c = lane; c < WIDTH; c += LANES) {
        let w#T = weight_M(row + #Tu, c);
        let x#T = input(token + #Tu, c);
        s#T += vec4<f32>(dot(x#T, w0), dot(x#T, w1), dot(x#T, w2), dot(x#T, w3));
    }
    sums[#Tu * THREADS + thread] = s#T;
    let sum = sum_of_lanes(block * LANES, lane);
    if (lane < 4u) { finish_M(token + lane, row, sum); }
}
