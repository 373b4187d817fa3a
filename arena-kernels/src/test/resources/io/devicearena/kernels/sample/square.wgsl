enable subgroups;

fn term_M(i: u32) -> f32 { return f32(i * i); }
