fn weighted(v: f32, column: u32) -> f32 { return v; }
