//! use REDUCE: step/reduce-workgroup
override COLUMNS: u32 = 256u;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;

@compute @workgroup_size(256)
fn main(lane: Lane, @builtin(workgroup_id) group: vec3<u32>) {
    let row = group.x * COLUMNS;
    var most = -3.0e38;
    for (var c = lane.index; c < COLUMNS; c += 256u) { most = max(most, input[row + c]); }
    most = workgroupMax(most, lane);
    var sum = 0.0;
    for (var c = lane.index; c < COLUMNS; c += 256u) {
        let share = exp(input[row + c] - most);
        out[row + c] = share;
        sum += share;
    }
    let total = workgroupSum(sum, lane);
    for (var c = lane.index; c < COLUMNS; c += 256u) { out[row + c] /= total; }
}
