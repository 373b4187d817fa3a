// arg-max parts

// sampling/choice.wgsl
@group(0) @binding(0) var<storage, read_write> cursor: array<u32>;

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

// sampling/arg-max.wgsl
override VOCABULARY: u32 = 50000u;

/* For each of 256 workgroups, an ordered logit and its index. */
@group(0) @binding(1) var<storage, read_write> found: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> logits: array<u32>;

var<workgroup> best: array<vec2<u32>, 256>;

fn better(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, vec2<bool>(b.x > a.x || (b.x == a.x && b.y < a.y)));
}

fn reduce(own: vec2<u32>, index: u32) {
    best[index] = own;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (index < half) { best[index] = better(best[index], best[index + half]); }
        workgroupBarrier();
    }
}

@compute @workgroup_size(256)
fn parts(@builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var own = vec2<u32>(0u, 0xffffffffu);
    for (var i = group.x * 256u + index; i < VOCABULARY; i += 65536u) {
        own = better(own, vec2<u32>(ordered(logits[i]), i));
    }
    reduce(own, index);
    if (index == 0u) { found[group.x] = best[0]; }
}

@compute @workgroup_size(256)
fn choice(@builtin(local_invocation_index) index: u32) {
    reduce(found[index], index);
    if (index == 0u) { advance(best[0].y); }
}

// arg-max choice

// sampling/choice.wgsl
@group(0) @binding(0) var<storage, read_write> cursor: array<u32>;

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

// sampling/arg-max.wgsl
override VOCABULARY: u32 = 50000u;

/* For each of 256 workgroups, an ordered logit and its index. */
@group(0) @binding(1) var<storage, read_write> found: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> logits: array<u32>;

var<workgroup> best: array<vec2<u32>, 256>;

fn better(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, vec2<bool>(b.x > a.x || (b.x == a.x && b.y < a.y)));
}

fn reduce(own: vec2<u32>, index: u32) {
    best[index] = own;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if (index < half) { best[index] = better(best[index], best[index + half]); }
        workgroupBarrier();
    }
}

@compute @workgroup_size(256)
fn parts(@builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var own = vec2<u32>(0u, 0xffffffffu);
    for (var i = group.x * 256u + index; i < VOCABULARY; i += 65536u) {
        own = better(own, vec2<u32>(ordered(logits[i]), i));
    }
    reduce(own, index);
    if (index == 0u) { found[group.x] = best[0]; }
}

@compute @workgroup_size(256)
fn choice(@builtin(local_invocation_index) index: u32) {
    reduce(found[index], index);
    if (index == 0u) { advance(best[0].y); }
}
