/* A pool of whole images: a workgroup for each channel. */
//! use KIND: convolution/whole-max
//! use REDUCE: step/reduce-workgroup
override PIXELS: u32 = 256u;
override CHANNELS: u32 = 8u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
const first_input: u32 = 0u; //! job

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let channel = group.y * groups.x + group.x;
    if (channel >= CHANNELS) { return; }
    var pooled = EMPTY;
    for (var i = lane.index; i < PIXELS; i += 256u) {
        pooled = with_element(pooled, input[first_input + channel * PIXELS + i]);
    }
    let all = of_workgroup(pooled, lane);
    if (lane.index == 0u) { out[channel] = mean_of(all, f32(PIXELS)); }
}
