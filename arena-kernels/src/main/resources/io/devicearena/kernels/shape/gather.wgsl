override ROWS: u32 = 16u;
override COUNT: u32 = 4u;
override INNER: u32 = 8u;
const first_input: u32 = 0u; //! job
const first_indices: u32 = 0u; //! job

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read> indices: array<i32>;

fn place(i: u32) -> u32 { return i; }

fn element(i: u32) -> u32 {
    let index = indices[first_indices + i / INNER % COUNT];
    let row = clamp(select(index, index + i32(ROWS), index < 0), 0, i32(ROWS) - 1);
    return input[first_input + (i / INNER / COUNT * ROWS + u32(row)) * INNER + i % INNER];
}
