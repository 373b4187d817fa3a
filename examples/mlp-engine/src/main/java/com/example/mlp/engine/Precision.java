package com.example.mlp.engine;

/** How weights are kept; inputs, sums and outputs are always f32. */
public enum Precision {
    /** As they were learned. */
    F32,
    /** Rounded to f16: half the bytes to read. */
    F16;

    /** What a learned weight becomes. */
    float of(float weight) {
        return this == F32 ? weight : Float.float16ToFloat(Float.floatToFloat16(weight));
    }
}
