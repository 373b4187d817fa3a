/* What a lane has of a head: a vector of each half. */
struct Vectors { a: vec4<f32>, b: vec4<f32> }
