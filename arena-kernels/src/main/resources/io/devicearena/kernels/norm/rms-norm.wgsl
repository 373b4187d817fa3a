//! use REDUCE: step/reduce-workgroup
override COLUMNS: u32 = 256u;
override EPSILON: f32 = 1e-6f;

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read> weight: array<f32>;

@compute @workgroup_size(256)
fn main(lane: Lane, @builtin(workgroup_id) group: vec3<u32>) {
    let row = group.x * COLUMNS;
    var squares = 0.0;
    for (var c = lane.index; c < COLUMNS; c += 256u) {
        let v = input[row + c];
        squares += v * v;
    }
    let scale = 1.0 / sqrt(workgroupSum(squares, lane) / f32(COLUMNS) + EPSILON);
    for (var c = lane.index; c < COLUMNS; c += 256u) { out[row + c] = input[row + c] * (scale * weight[c]); }
}
