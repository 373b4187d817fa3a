//! use REDUCTION: reduction/sum
//! use PLACES: reduction/places
override OUTPUTS: u32 = 4u;
override COUNT: u32 = 256u;

/* The threads of an output, a power of two; how far they are apart; how far the outputs of a workgroup are apart. */
override TEAM: u32 = 64u;
override LANE_STEP: u32 = 1u;
override OUTPUT_STEP: u32 = 64u;
const first_out: u32 = 0u; //! job
const first_input: u32 = 0u; //! job

@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<u32>;

var<workgroup> results: array<Result, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let lane = thread / LANE_STEP % TEAM;
    let output = (group.x + group.y * groups.x) * (256u / TEAM) + thread / OUTPUT_STEP % (256u / TEAM);
    var result = start();
    if (output < OUTPUTS) {
        let first = first_input + kept_place(output);
        for (var i = lane; i < COUNT; i += TEAM) {
            result = combine(result, one(bitcast<f32>(input[first + reduced_place(i)]), i));
        }
    }
    results[thread] = result;
    for (var half = TEAM / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (lane < half) { results[thread] = combine(results[thread], results[thread + half * LANE_STEP]); }
    }
    if (lane == 0u && output < OUTPUTS) { out[first_out + output] = finish(results[thread]); }
}
