@group(0) @binding(0) var<storage, read> cursor: array<u32>;
