//! use linear/square-memory
//! use WEIGHT_M: linear/weight-f32 as M
//! use linear/finish as M
const HALF: u32 = 0u; //! repeat SIDES
const TOKEN: u32 = 0u; //! repeat 4
const BLOCK: u32 = 0u; //! repeat SIDES

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
    var s_HALF_TOKEN_BLOCK = vec4<f32>();
    var x_BLOCK = input_or_zero(token + r, q + BLOCK * STEP);
    var w_BLOCK = weight_or_zero_M(row + r, q + BLOCK * STEP);
    for (var k = 4u; k < WIDTH + 4u; k += 4u) {
        workgroupBarrier();
        put_input(r, q + BLOCK * STEP, x_BLOCK);
        put_weights(r, q + BLOCK * STEP, w_BLOCK);
        workgroupBarrier();
        x_BLOCK = input_or_zero(token + r, k + q + BLOCK * STEP);
        w_BLOCK = weight_or_zero_M(row + r, k + q + BLOCK * STEP);
        for (var j = 0u; j < DEPTH; j++) {
            let u_BLOCK = weights[j * (TILE / 4u) + BLOCK * SIDE + a];
            let v_BLOCK = inputs[j * (TILE / 4u) + BLOCK * SIDE + b];
            s_HALF_TOKEN_BLOCK += v_HALF[TOKEN] * u_BLOCK;
        }
    }
    finish_M(token + HALF * (4u * SIDE) + b * 4u + TOKEN, row + BLOCK * (4u * SIDE) + a * 4u, s_HALF_TOKEN_BLOCK);
}
