const first_input: u32 = 0u; //! job
@group(0) @binding(0) var<storage, read> input: array<u32>;

/* Where the element of a number goes, and what it is: a step makes a text of these functions for its shapes. */
fn place(i: u32) -> u32 { return i; }

fn element(i: u32) -> u32 { return input[first_input + i]; }
