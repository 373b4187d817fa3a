fn prepare(token: u32, thread: u32, is_first: bool) {}
fn input(token: u32, c: u32) -> vec4<f32> { return x[job.x / 4u + token * (COLUMNS / 4u) + c]; }
