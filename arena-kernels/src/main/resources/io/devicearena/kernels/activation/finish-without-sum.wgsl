fn with_added(sum: f32, at: u32) -> f32 { return sum; }
