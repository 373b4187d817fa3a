fn of_element(x: f32) -> f32 { return x; }
