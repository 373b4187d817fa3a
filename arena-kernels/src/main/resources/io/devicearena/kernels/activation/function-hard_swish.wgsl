fn of_element(x: f32) -> f32 { return x * min(max(x / 6.0 + 0.5, 0.0), 1.0); }
