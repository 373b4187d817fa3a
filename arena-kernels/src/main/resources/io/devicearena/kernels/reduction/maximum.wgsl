alias Result = f32;

fn start() -> Result { return -3.4e38; }

fn one(x: f32, number: u32) -> Result { return x; }

fn combine(a: Result, b: Result) -> Result { return max(a, b); }

fn finish(result: Result) -> u32 { return bitcast<u32>(result); }
