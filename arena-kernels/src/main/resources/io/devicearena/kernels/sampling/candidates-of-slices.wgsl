//! use sampling/found
const first_in: u32 = 0u; //! job

fn candidate(i: u32) -> vec2<u32> { return found[first_in + i]; }
