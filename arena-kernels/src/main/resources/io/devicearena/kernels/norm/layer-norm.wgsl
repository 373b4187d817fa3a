//! use REDUCE: step/reduce-workgroup
//! use VALID: step/all-rows
//! use WEIGHTS: norm/weights-and-bias
override COLUMNS: u32 = 256u;
override EPSILON: f32 = 1e-6f;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;

@compute @workgroup_size(256)
fn main(lane: Lane, @builtin(workgroup_id) group: vec3<u32>) {
    if (!is_valid(group.x)) { return; }
    let row = group.x * COLUMNS;
    var sum = 0.0;
    for (var c = lane.index; c < COLUMNS; c += 256u) { sum += input[row + c]; }
    let mean = workgroupSum(sum, lane) / f32(COLUMNS);
    var squares = 0.0;
    for (var c = lane.index; c < COLUMNS; c += 256u) {
        let v = input[row + c] - mean;
        squares += v * v;
    }
    let scale = 1.0 / sqrt(workgroupSum(squares, lane) / f32(COLUMNS) + EPSILON);
    for (var c = lane.index; c < COLUMNS; c += 256u) {
        out[row + c] = weighted((input[row + c] - mean) * scale, c);
    }
}
