override FIRST: f32 = 0.01f;

fn of_element(x: f32) -> f32 { return max(x, 0.0) + FIRST * min(x, 0.0); }
