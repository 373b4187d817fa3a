fn weight_or_zero_M(row: u32, c: u32) -> vec4<f32> {
    if (c >= WIDTH) { return vec4<f32>(); }
    return weight_M(row, c);
}

/* B by B blocks of 4 tokens by 4 rows for each thread. What it loads next waits for nothing. */
fn block_M(row: u32, token: u32, thread: u32) {
    let a = thread % SIDE;
    let b = thread / SIDE;
    let r = thread % TILE;
    let q = thread / TILE;
    var s#T_#B = vec4<f32>();
    var x_#B = input_or_zero(token + r, q + #Bu * STEP);
    var w_#B = weight_or_zero_M(row + r, q + #Bu * STEP);
    for (var k = 4u; k < WIDTH + 4u; k += 4u) {
        workgroupBarrier();
        put_input(r, q + #Bu * STEP, x_#B);
        put_weights(r, q + #Bu * STEP, w_#B);
        workgroupBarrier();
        x_#B = input_or_zero(token + r, k + q + #Bu * STEP);
        w_#B = weight_or_zero_M(row + r, k + q + #Bu * STEP);
        for (var j = 0u; j < DEPTH; j++) {
            let u_#B = weights[j * (TILE / 4u) + #Bu * SIDE + a];
            let v_#B = inputs[j * (TILE / 4u) + #Bu * SIDE + b];
            s#T_#B += v_#H.#C * u_#B;
        }
    }
    finish_M(token + #Hu * (4u * SIDE) + b * 4u + #Tu % 4u, row + #Bu * (4u * SIDE) + a * 4u, s#T_#B);
}
