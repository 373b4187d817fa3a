//! use attention/turns
//! use attention/vectors

fn crossed(x: vec4<f32>) -> vec4<f32> { return vec4<f32>(-x.y, x.x, -x.w, x.z); }

/* Two vectors, in which neighbours are pairs, turned by their angles. */
fn rotated(p: Vectors, first: Turn, second: Turn) -> Vectors {
    return Vectors(
        p.a * first.cosine + crossed(p.a) * first.sine, p.b * second.cosine + crossed(p.b) * second.sine);
}
