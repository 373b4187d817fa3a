/* Where an output, and an element of it, begin: a step makes a text of these functions for its shape. */
fn kept_place(i: u32) -> u32 { return i * 256u; }

fn reduced_place(i: u32) -> u32 { return i; }
