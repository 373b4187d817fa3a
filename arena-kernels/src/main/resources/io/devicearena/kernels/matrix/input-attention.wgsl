//! use matrix/staged-row
//! use LANE_SUMS: step/lanes-in-memory
/* The vectors of a row that a thread stages. */
const VECTORS: u32 = 1u;
const VECTOR: u32 = 0u; //! repeat VECTORS
/* The splits of an attention. */
const SPLITS: u32 = 1u;
const SPLIT: u32 = 0u; //! repeat SPLITS
override HEAD: u32 = 64u;

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
const first_x: u32 = 0u; //! job

/* The shares of the splits of each head, relative to the largest score of all of them. */
fn prepare(token: u32, thread: u32, is_first: bool) {
    let c_VECTOR = thread + VECTOR * THREADS;
    let first_VECTOR = first_x / 4u + 4u * min(c_VECTOR, COLUMNS / 4u - 1u) / HEAD * SPLITS * (HEAD / 4u + 1u);
    let ends_VECTOR_SPLIT = x[first_VECTOR + SPLIT * (HEAD / 4u + 1u) + HEAD / 4u];
    let values_VECTOR_SPLIT = x[first_VECTOR + SPLIT * (HEAD / 4u + 1u) + c_VECTOR % (HEAD / 4u)];
    /* Keeps compilers from loading the values behind the exponentials, a second wait for memory. */
    workgroupBarrier();
    var most_VECTOR = -3.0e38;
    most_VECTOR = max(most_VECTOR, ends_VECTOR_SPLIT.x);
    let share_VECTOR_SPLIT = select(0.0, exp(ends_VECTOR_SPLIT.x - most_VECTOR), ends_VECTOR_SPLIT.y > 0.0);
    var total_VECTOR = 0.0;
    total_VECTOR += share_VECTOR_SPLIT * ends_VECTOR_SPLIT.y;
    var mixed_VECTOR = vec4<f32>();
    mixed_VECTOR += share_VECTOR_SPLIT * values_VECTOR_SPLIT;
    if (c_VECTOR < COLUMNS / 4u) { staged[place(c_VECTOR)] = mixed_VECTOR / total_VECTOR; }
    workgroupBarrier();
}
