//! use sampling/found
//! use sampling/choice
//! use CANDIDATES: sampling/candidates-of-logits
override TOP: u32 = 40u;
override TOP_P: f32 = 0.95f;
override INVERSE_TEMPERATURE: f32 = 1.0f;

const candidates: u32 = 1024u; //! job
const first_out: u32 = 0u; //! job
const seed_low: u32 = 0u; //! job
const seed_high: u32 = 0u; //! job

var<workgroup> sorted: array<vec2<u32>, 1024>;
var<workgroup> sums: array<f32, 256>;
var<workgroup> below: array<atomic<u32>, 2>;

fn is_before(a: vec2<u32>, b: vec2<u32>) -> bool { return a.x > b.x || (a.x == b.x && a.y < b.y); }

/* Sorts a slice: the largest logit is first, and of equal ones that with the lowest index. What is beyond the
   candidates is last. */
fn sort_slice(slice: u32, thread: u32) {
    for (var i = thread; i < 1024u; i += 256u) {
        let at = slice * 1024u + i;
        sorted[i] = vec2<u32>(0u, 0xffffffffu);
        if (at < candidates) { sorted[i] = candidate(at); }
    }
    for (var size = 2u; size <= 1024u; size *= 2u) {
        for (var half = size / 2u; half > 0u; half /= 2u) {
            workgroupBarrier();
            for (var n = thread; n < 512u; n += 256u) {
                let i = 2u * n - n % half;
                let a = sorted[i];
                let b = sorted[i + half];
                if (is_before(b, a) == ((i & size) == 0u)) {
                    sorted[i] = b;
                    sorted[i + half] = a;
                }
            }
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(256)
fn slices(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>) {
    sort_slice(group.x, thread);
    if (thread < TOP) { found[first_out + group.x * TOP + thread] = sorted[thread]; }
}

/* The upper half of a product. */
fn upper(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let one = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let two = (a & 0xffffu) * (b >> 16u) + (one & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (one >> 16u) + (two >> 16u);
}

/* Philox2x32 with 10 rounds: a number from 0 to 1 for a step. */
fn fraction(step: u32) -> f32 {
    var low = step;
    var high = seed_high;
    var key = seed_low;
    for (var i = 0u; i < 10u; i++) {
        let next = upper(0xD256D193u, low) ^ key ^ high;
        high = 0xD256D193u * low;
        low = next;
        key += 0x9E3779B9u;
    }
    return f32(low >> 8u) * 5.9604644775390625e-8;
}

fn logit(key: u32) -> f32 { return bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u)); }

/* Relative to the largest; a NaN has the key 0. */
fn weight(rank: u32) -> f32 {
    let key = sorted[rank].x;
    if (rank == 0u) { return 1.0; }
    if (key == 0u) { return 0.0; }
    if (key == sorted[0].x) { return 1.0; }
    return exp((logit(key) - logit(sorted[0].x)) * INVERSE_TEMPERATURE);
}

@compute @workgroup_size(256)
fn choice(@builtin(local_invocation_index) thread: u32) {
    sort_slice(0u, thread);
    if (thread < TOP) { sums[thread] = weight(thread); }
    if (thread < 2u) { atomicStore(&below[thread], 0u); }
    workgroupBarrier();
    /* One thread adds up, so that the order is that of the host. */
    if (thread == 0u) {
        var total = 0.0;
        for (var i = 0u; i < TOP; i++) {
            total += sums[i];
            sums[i] = total;
        }
    }
    workgroupBarrier();
    if (thread < TOP - 1u && sums[thread] < TOP_P * sums[TOP - 1u]) { atomicAdd(&below[0], 1u); }
    workgroupBarrier();
    let last = atomicLoad(&below[0]);
    let draw = fraction(cursor[3]) * sums[last];
    if (thread < last && sums[thread] <= draw) { atomicAdd(&below[1], 1u); }
    workgroupBarrier();
    if (thread == 0u) { advance(sorted[atomicLoad(&below[1])].y); }
}
