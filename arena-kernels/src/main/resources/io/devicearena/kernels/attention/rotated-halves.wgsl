//! use attention/turns
//! use attention/vectors

/* A vector of each half of a head, whose elements are pairs, turned by their angles. */
fn rotated(p: Vectors, first: Turn, second: Turn) -> Vectors {
    return Vectors(p.a * first.cosine - p.b * first.sine, p.b * first.cosine + p.a * first.sine);
}
