fn input(token: u32, c: u32) -> vec4<f32> { return x[min(token, TOKENS - 1u) * WIDTH + c]; }
