/* Ordered logits and their indices: TOP of each slice. */
@group(0) @binding(0) var<storage, read_write> found: array<vec2<u32>>;
