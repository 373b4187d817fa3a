fn activation_M(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
