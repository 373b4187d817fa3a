struct Result { value: f32, number: u32 }

fn start() -> Result { return Result(-3.4e38, 0u); }

fn one(x: f32, number: u32) -> Result { return Result(x, number); }

/* Of equal ones the first. */
fn combine(a: Result, b: Result) -> Result {
    if (b.value > a.value || (b.value == a.value && b.number < a.number)) { return b; }
    return a;
}

fn finish(result: Result) -> u32 { return result.number; }
