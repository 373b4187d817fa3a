fn biased_M(row: u32, product: f32) -> f32 { return product; }
