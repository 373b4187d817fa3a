override FIRST: f32 = 0.0f;
override SECOND: f32 = 6.0f;

fn of_element(x: f32) -> f32 { return min(max(x, FIRST), SECOND); }
