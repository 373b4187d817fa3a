override SQUARED: u32 = 0u;
override ROOT: u32 = 0u;
override DIVISOR: f32 = 1.0f;

alias Result = f32;

fn start() -> Result { return 0.0; }

fn one(x: f32, number: u32) -> Result { return select(x, x * x, SQUARED == 1u); }

fn combine(a: Result, b: Result) -> Result { return a + b; }

fn finish(sum: Result) -> u32 { return bitcast<u32>(select(sum / DIVISOR, sqrt(sum), ROOT == 1u)); }
