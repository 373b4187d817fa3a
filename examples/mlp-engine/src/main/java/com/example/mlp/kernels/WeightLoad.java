package com.example.mlp.kernels;

/** How a kernel reads weights: from where, and how many bytes a load. */
public enum WeightLoad {
    /** f32 from the arena, 16 bytes a load. */
    F32("vec4<f32>", 4, 4),
    /** f16 from the shadow, 8 bytes a load; needs a device that computes with f16. */
    F16("vec4<f16>", 4, 2),
    /** f16 from the shadow as words that are unpacked, 16 bytes a load; works on every device. */
    F16_PACKED("vec4<u32>", 8, 2),
    /** f16 from the shadow as words that are unpacked, 8 bytes a load. */
    F16_HALF_PACKED("vec2<u32>", 4, 2);

    private final String type;
    private final int columns;
    private final int bytesPerWeight;

    WeightLoad(String type, int columns, int bytesPerWeight) {
        this.type = type;
        this.columns = columns;
        this.bytesPerWeight = bytesPerWeight;
    }

    /** What one load gives, in WGSL. */
    String type() {
        return type;
    }

    /** Weights of one load. */
    public int columns() {
        return columns;
    }

    /** Bytes of one weight in memory. */
    public int bytesPerWeight() {
        return bytesPerWeight;
    }

    /** Bytes of one load. */
    public int bytesPerLoad() {
        return columns * bytesPerWeight;
    }

    /** Whether the weights lie in the f16 shadow. */
    public boolean isHalf() {
        return bytesPerWeight == Short.BYTES;
    }

    /** Whether the device must compute with f16. */
    public boolean needsShaderF16() {
        return this == F16;
    }

    /** The four weights of a load from the given one on, as f32. */
    String four(String load, int from) {
        return switch (this) {
            case F32 -> load;
            case F16 -> "vec4<f32>(" + load + ")";
            case F16_PACKED, F16_HALF_PACKED -> {
                String first = from == 0 ? ".x" : ".z";
                String second = from == 0 ? ".y" : ".w";
                yield "vec4<f32>(unpack2x16float(" + load + first + "), unpack2x16float(" + load + second + "))";
            }
        };
    }
}
