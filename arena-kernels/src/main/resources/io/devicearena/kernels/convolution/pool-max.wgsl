const EMPTY = -3.4028235e38f;

fn with_element(pooled: f32, x: f32) -> f32 { return max(pooled, x); }
fn counts(inside: bool, padded: bool) -> bool { return false; }
fn mean_of(pooled: f32, counted: f32) -> f32 { return pooled; }
