override HEAD: u32;
override SPLITS: u32;
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

/* The shares of the splits of each head, relative to the largest score of all of them. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    for (var c = thread; c < COLUMNS / 4u; c += THREADS) {
        let first = job.x + 4u * c / HEAD * SPLITS * (HEAD + 2u);
        var most = -3.0e38;
        for (var s = 0u; s < SPLITS; s++) { most = max(most, x[first + s * (HEAD + 2u) + HEAD]); }
        var total = 0.0;
        var mixed = vec4<f32>();
        for (var s = 0u; s < SPLITS; s++) {
            let split = first + s * (HEAD + 2u);
            let sum = x[split + HEAD + 1u];
            let share = select(0.0, exp(x[split + HEAD] - most), sum > 0.0);
            let at = split + 4u * c % HEAD;
            total += share * sum;
            mixed += share * vec4<f32>(x[at], x[at + 1u], x[at + 2u], x[at + 3u]);
        }
        staged[place(c)] = mixed / total;
    }
    workgroupBarrier();
}
