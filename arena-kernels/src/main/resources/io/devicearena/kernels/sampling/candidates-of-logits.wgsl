//! use sampling/choice

@group(0) @binding(1) var<storage, read> logits: array<u32>;

fn candidate(i: u32) -> vec2<u32> { return vec2<u32>(ordered(logits[i]), i); }
