@group(0) @binding(2) var<storage, read_write> cursor: array<u32>;

/* An unsigned integer that is ordered as the floats are: 0 for a NaN, which no number has. */
fn ordered(bits: u32) -> u32 {
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0u; }
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

/* Moves the cursor behind the rows of a step, to the token that was chosen. */
fn advance(token: u32) {
    cursor[0] += cursor[1];
    cursor[1] = 1u;
    cursor[2] = token;
    cursor[3] += 1u;
}
