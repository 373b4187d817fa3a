override EPSILON: f32;
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

/* Every workgroup norms the row; the first writes the sum of the residual stream. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let row = token * (COLUMNS / 4u);
    var update_scale = 1.0;
    if (HAS_NORMED_UPDATE) {
        var update_sum = 0.0;
        for (var c = thread; c < COLUMNS / 4u; c += THREADS) { update_sum += update_squares(row, c); }
        update_scale = inverseSqrt(all_threads(update_sum, thread) / f32(COLUMNS) + EPSILON);
    }
    var squares = 0.0;
    for (var c = thread; c < COLUMNS / 4u; c += THREADS) {
        let v = sum_at(row, c, update_scale);
        if (is_first) { write_sum(row, c, v); }
        staged[place(c)] = v;
        squares += dot(v, v);
    }
    let scale = inverseSqrt(all_threads(squares, thread) / f32(COLUMNS) + EPSILON);
    for (var c = thread; c < COLUMNS / 4u; c += THREADS) {
        staged[place(c)] = staged[place(c)] * scale * norm[job.norm / 4u + c];
    }
    workgroupBarrier();
}
