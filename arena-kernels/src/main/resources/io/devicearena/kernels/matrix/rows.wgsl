//! use LANE_SUMS: step/lanes-in-memory
//! use ACTIVATION: activation/silu
/* The rows of a lane, and the units that it loads at a time. */
const PER_LANE: u32 = 1u;
const ROW: u32 = 0u; //! repeat PER_LANE
const UNROLLED: u32 = 1u;

alias Elements = array<f32, PER_LANE>;

fn first_token(group: u32) -> u32 { return group; }
fn first_row(group: u32, thread: u32) -> u32 { return (group * (THREADS / LANES) + thread / LANES) * PER_LANE; }

fn gated(gate: Elements, up: Elements) -> Elements {
    var all: Elements;
    all[ROW] = activation_M(gate[ROW]) * up[ROW];
    return all;
}
