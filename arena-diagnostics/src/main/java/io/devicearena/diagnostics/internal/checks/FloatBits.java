package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import org.jspecify.annotations.Nullable;

/** What the bits of a float say. Threads: static and stateless; any thread. */
final class FloatBits {
    private FloatBits() {}

    static boolean isFloat(@Nullable DType dtype) {
        return dtype != null && (dtype.isHostFloat() || dtype == DType.F64);
    }

    /** The number, exactly. */
    static double value(DType dtype, long bits) {
        return switch (dtype) {
            case F16 -> Float.float16ToFloat((short) bits);
            case BF16 -> Float.intBitsToFloat((int) bits << 16);
            case F32 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }
}
