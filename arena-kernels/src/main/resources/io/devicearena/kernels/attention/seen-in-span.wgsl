//! use VALID: attention/every-row
override HEADS: u32 = 2u;
override WIDTH: u32 = 16u;
const GROUP = 1u;
override SCALE: f32 = 0.125f;

@group(0) @binding(2) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> spans: array<vec2<u32>>;

/* The rows that are valid. */
struct Rows { count: u32 }

fn valid_rows(group: vec3<u32>, thread: u32) -> Rows { return Rows(min(valid_count(), ROWS)); }

fn first_key(row: u32, rows: Rows) -> u32 { return spans[row].x; }

fn end_key(row: u32, rows: Rows) -> u32 { return min(spans[row].y, rows.count); }

/* Where vectors begin. */
fn query_at(row: u32, head: u32, group: vec3<u32>) -> u32 { return (row * HEADS + group.y) * WIDTH; }

fn key_at(p: u32, group: vec3<u32>) -> u32 { return query_at(p, 0u, group); }

fn key(at: u32) -> vec4<f32> { return keys[at]; }

fn value(at: u32) -> vec4<f32> { return values[at]; }
