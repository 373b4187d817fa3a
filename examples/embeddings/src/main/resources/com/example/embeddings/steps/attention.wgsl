/* A thread has a query; the workgroup takes the keys and values of its head 32 at a time. A head has 32 elements. */
@group(0) @binding(0) var<storage, read_write> mixed: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> query_bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> value_bias: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> lengths: array<u32>;

const FOURS = 8u;
const KEYS = 32u;
var<workgroup> some_keys: array<vec4<f32>, KEYS * FOURS>;
var<workgroup> some_values: array<vec4<f32>, KEYS * FOURS>;

fn at(sequence: u32, token: u32, head: u32) -> u32 {
    return (sequence * LENGTH + min(token, LENGTH - 1u)) * (HEADS * FOURS) + head * FOURS;
}

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let head = group.y;
    let sequence = group.z;
    let length = min(lengths[sequence], LENGTH);
    if (group.x * 32u >= length) { return; }
    let query = group.x * 32u + thread;
    var q: array<vec4<f32>, FOURS>;
    var sums: array<vec4<f32>, FOURS>;
    for (var i = 0u; i < FOURS; i++) {
        q[i] = (queries[at(sequence, query, head) + i] + query_bias[head * FOURS + i]) * 0.17677669529663687;
        sums[i] = vec4<f32>();
    }
    var most = -3.0e38;
    var weights = 0.0;
    for (var first = 0u; first < length; first += KEYS) {
        workgroupBarrier();
        for (var i = thread; i < KEYS * FOURS; i += 32u) {
            let place = at(sequence, first + i / FOURS, head) + i % FOURS;
            some_keys[i] = keys[place];
            some_values[i] = values[place];
        }
        workgroupBarrier();
        for (var j = 0u; j < min(KEYS, length - first); j++) {
            var four = q[0] * some_keys[j * FOURS];
            for (var i = 1u; i < FOURS; i++) { four += q[i] * some_keys[j * FOURS + i]; }
            let score = (four.x + four.y) + (four.z + four.w);
            let highest = max(most, score);
            let kept = exp(most - highest);
            let weight = exp(score - highest);
            most = highest;
            weights = weights * kept + weight;
            for (var i = 0u; i < FOURS; i++) { sums[i] = sums[i] * kept + weight * some_values[j * FOURS + i]; }
        }
    }
    if (query < LENGTH) {
        for (var i = 0u; i < FOURS; i++) {
            mixed[at(sequence, query, head) + i] = sums[i] / weights + value_bias[head * FOURS + i];
        }
    }
}
