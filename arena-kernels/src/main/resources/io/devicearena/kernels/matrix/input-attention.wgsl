override HEAD: u32;
override SPLITS: u32;
var<workgroup> staged: array<vec4<f32>, (COLUMNS + 31u) / 32u * 8u>;

/* Neighbours read vectors that are some apart: mixed so, these are in different banks of the memory. */
fn place(c: u32) -> u32 { return c ^ ((c >> 3u) & 7u); }

fn input(token: u32, c: u32) -> vec4<f32> { return staged[place(c)]; }

/* The shares of the splits of each head, relative to the largest score of all of them. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let c#V = thread + #Vu * THREADS;
    let first#V = job.x / 4u + 4u * min(c#V, COLUMNS / 4u - 1u) / HEAD * SPLITS * (HEAD / 4u + 1u);
    let ends#V_#S = x[first#V + #Su * (HEAD / 4u + 1u) + HEAD / 4u];
    let values#V_#S = x[first#V + #Su * (HEAD / 4u + 1u) + c#V % (HEAD / 4u)];
    /* Keeps compilers from loading the values behind the exponentials, a second wait for memory. */
    workgroupBarrier();
    var most#V = -3.0e38;
    most#V = max(most#V, ends#V_#S.x);
    let share#V_#S = select(0.0, exp(ends#V_#S.x - most#V), ends#V_#S.y > 0.0);
    var total#V = 0.0;
    total#V += share#V_#S * ends#V_#S.y;
    var mixed#V = vec4<f32>();
    mixed#V += share#V_#S * values#V_#S;
    if (c#V < COLUMNS / 4u) { staged[place(c#V)] = mixed#V / total#V; }
    workgroupBarrier();
}
