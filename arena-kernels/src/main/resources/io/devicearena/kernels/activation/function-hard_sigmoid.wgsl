override FIRST: f32 = 0.2f;
override SECOND: f32 = 0.5f;

fn of_element(x: f32) -> f32 { return min(max(FIRST * x + SECOND, 0.0), 1.0); }
