alias Result = f32;

fn start() -> Result { return 1.0; }

fn one(x: f32, number: u32) -> Result { return x; }

fn combine(a: Result, b: Result) -> Result { return a * b; }

fn finish(result: Result) -> u32 { return bitcast<u32>(result); }
