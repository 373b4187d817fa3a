override EPSILON: f32;
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

/* Every workgroup norms the row; the first writes the sum of the residual stream. All loads come first, so that they
   wait for memory together. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let row = token * (COLUMNS / 4u);
    let end = COLUMNS / 4u;
    let c#V = thread + #Vu * THREADS;
    let r#V = residual_at(row, min(c#V, end - 1u));
    let n#V = norm[job.norm / 4u + min(c#V, end - 1u)];
    var update_scale = 1.0;
    if (HAS_NORMED_UPDATE) {
        var update_sum = 0.0;
        update_sum += select(0.0, update_squares(r#V), c#V < end);
        update_scale = inverseSqrt(all_threads(update_sum, thread) / f32(COLUMNS) + EPSILON);
    }
    var squares = 0.0;
    let v#V = sum_of(r#V, update_scale);
    squares += select(0.0, dot(v#V, v#V), c#V < end);
    if (is_first && c#V < end) { write_sum(row, c#V, v#V); }
    let scale = inverseSqrt(all_threads(squares, thread) / f32(COLUMNS) + EPSILON);
    if (c#V < end) { staged[place(c#V)] = v#V * scale * n#V; }
    workgroupBarrier();
}
