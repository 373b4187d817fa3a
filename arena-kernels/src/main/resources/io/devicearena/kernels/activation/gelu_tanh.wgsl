fn activation_M(x: f32) -> f32 {
    let u = 0.7978845608028654 * x * (1.0 + 0.044715 * x * x);
    return x * (1.0 - 1.0 / (exp(min(2.0 * u, 80.0)) + 1.0));
}
