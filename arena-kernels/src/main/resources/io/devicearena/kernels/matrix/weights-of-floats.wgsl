@group(0) @binding(0) var<storage, read> words_M: array<vec4<f32>>;
const first_words_M: u32 = 0u; //! job
