const EMPTY = 0.0f;

fn with_element(pooled: f32, x: f32) -> f32 { return pooled + x; }
fn counts(inside: bool, padded: bool) -> bool { return padded; }
fn mean_of(pooled: f32, counted: f32) -> f32 { return pooled / counted; }
