// layer-norm
enable subgroups;
// step/reduce-subgroups.wgsl

/* The place of an invocation in its workgroup of at most 256 invocations and 64 subgroups. */
struct Lane {
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
}

var<workgroup> reduced: array<f32, 64>;

/* The sum of the values of all invocations of a workgroup. */
fn workgroupSum(value: f32, lane: Lane) -> f32 {
    let sum = subgroupAdd(value);
    if (lane.lane == 0u) { reduced[lane.subgroup] = sum; }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < lane.subgroups; i++) { total += reduced[i]; }
    workgroupBarrier();
    return total;
}

/* The largest of the values of all invocations of a workgroup. */
fn workgroupMax(value: f32, lane: Lane) -> f32 {
    let most = subgroupMax(value);
    if (lane.lane == 0u) { reduced[lane.subgroup] = most; }
    workgroupBarrier();
    var largest = reduced[0];
    for (var i = 1u; i < lane.subgroups; i++) { largest = max(largest, reduced[i]); }
    workgroupBarrier();
    return largest;
}

// step/all-rows.wgsl
fn is_valid(row: u32) -> bool { return true; }

// norm/weights-and-bias.wgsl
@group(0) @binding(0) var<storage, read> weight: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<f32>;

fn weighted(v: f32, column: u32) -> f32 { return v * weight[column] + bias[column]; }

// norm/layer-norm.wgsl
override COLUMNS: u32 = 1024u;
override EPSILON: f32 = 1.0E-6f;

@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read> input: array<f32>;

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
