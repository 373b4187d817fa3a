//! use activation/gelu_tanh

fn of_element(x: f32) -> f32 { return activation_M(x); }
