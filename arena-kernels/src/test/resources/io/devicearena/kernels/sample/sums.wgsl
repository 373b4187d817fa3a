//! use TERM: sample/term as 0
//! use TERM: sample/term as 1
const TERMS: u32 = 2u;
const TERM: u32 = 0u; //! repeat TERMS
override SCALE: f32 = 0.5f;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    let x_TERM = term_TERM(TERM);
    out[TERM] = SCALE * x_TERM;
}
