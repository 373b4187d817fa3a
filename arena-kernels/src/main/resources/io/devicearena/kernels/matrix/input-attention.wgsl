override HEAD: u32;
override SPLITS: u32;
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

/* The shares of the splits of each head, relative to the largest score of all of them. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    for (var c = thread; c < COLUMNS / 4u; c += THREADS) {
        let first = job.x / 4u + 4u * c / HEAD * SPLITS * (HEAD / 4u + 1u);
        let at = c % (HEAD / 4u);
        let ends#S = x[first + #Su * (HEAD / 4u + 1u) + HEAD / 4u];
        let values#S = x[first + #Su * (HEAD / 4u + 1u) + at];
        var most = -3.0e38;
        most = max(most, ends#S.x);
        var total = 0.0;
        var mixed = vec4<f32>();
        let share#S = select(0.0, exp(ends#S.x - most), ends#S.y > 0.0);
        total += share#S * ends#S.y;
        mixed += share#S * values#S;
        staged[place(c)] = mixed / total;
    }
    workgroupBarrier();
}
