fn candidate(i: u32) -> vec2<u32> { return found[job.first_in + i]; }
