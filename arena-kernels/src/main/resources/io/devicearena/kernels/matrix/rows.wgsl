override THREADS: u32;
override LANES: u32;
alias Elements = array<f32, PER_LANE>;

fn first_token(group: u32) -> u32 { return group; }
fn first_row(group: u32, thread: u32) -> u32 { return (group * (THREADS / LANES) + thread / LANES) * PER_LANE; }

fn gated(gate: Elements, up: Elements) -> Elements {
    var all: Elements;
    all[#R] = activation(gate[#R]) * up[#R];
    return all;
}
