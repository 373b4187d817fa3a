// round-rows

// matrix/round-rows.wgsl
/* A thread rounds four columns; eight neighbours have a block of 32. */
override FOURS: u32 = 1024u;
override GROUPS: u32 = 4u;
override LEAST: f32 = 7.888609E-31f;

@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;

var<workgroup> largest: array<f32, 256>;

fn largest_of_block(thread: u32) -> f32 {
    var most = 0.0;
    for (var i = 0u; i < 8u; i++) { most = max(most, largest[thread / 8u * 8u + i]); }
    return most;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    for (var first = group.x * 256u; first < FOURS; first += GROUPS * 256u) {
        let i = first + thread;
        let v = x[min(i, FOURS - 1u)];
        let a = abs(v);
        largest[thread] = max(max(a.x, a.y), max(a.z, a.w));
        workgroupBarrier();
        let most = largest_of_block(thread);
        workgroupBarrier();
        let is_zero = most < LEAST;
        if (i < FOURS) {
            y[i] = pack4xI8(vec4<i32>(round(v * select(127.0 / most, 0.0, is_zero))));
            if (thread % 8u == 0u) { y[FOURS + i / 8u] = bitcast<u32>(select(most / 127.0, 0.0, is_zero)); }
        }
    }
}
