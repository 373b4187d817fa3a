//! use REDUCE: step/reduce-workgroup
override ROWS: u32 = 4u;
override COLUMNS: u32 = 256u;
override INNER: u32 = 1u;
override LOGARITHM: u32 = 0u;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;

@compute @workgroup_size(256)
fn main(
    lane: Lane,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let number = group.x + group.y * groups.x;
    if (number >= ROWS) { return; }
    let row = number / INNER * INNER * COLUMNS + number % INNER;
    var most = -3.0e38;
    for (var c = lane.index; c < COLUMNS; c += 256u) { most = max(most, input[row + c * INNER]); }
    most = workgroupMax(most, lane);
    var sum = 0.0;
    for (var c = lane.index; c < COLUMNS; c += 256u) { sum += exp(input[row + c * INNER] - most); }
    let total = workgroupSum(sum, lane);
    for (var c = lane.index; c < COLUMNS; c += 256u) {
        let x = input[row + c * INNER] - most;
        if (LOGARITHM == 1u) {
            out[row + c * INNER] = x - log(total);
        } else {
            out[row + c * INNER] = exp(x) / total;
        }
    }
}
