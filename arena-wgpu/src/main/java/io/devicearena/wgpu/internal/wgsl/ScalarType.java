package io.devicearena.wgpu.internal.wgsl;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A type that constants can have. Threads: immutable.
 *
 * <p>Source: WGSL, sections 6.2.2 to 6.2.4 (scalar types) and 3.6 (literals); WebGPU, section 10.3.1 (constants of a
 * pipeline).
 */
enum ScalarType {
    BOOL("0 (false) or 1 (true)"),
    I32("a whole number from -2147483648 to 2147483647"),
    U32("a whole number from 0 to 4294967295"),
    F32("a finite number of at most 3.4028235E38"),
    F16("a finite number of at most 65504");

    private static final float MAX_F16 = 65504;

    /** The values of the type, for messages. */
    final String expected;

    ScalarType(String expected) {
        this.expected = expected;
    }

    static Optional<ScalarType> of(String name) {
        return Arrays.stream(values()).filter(type -> type.wgsl().equals(name)).findFirst();
    }

    /** Returns the type of a literal, that of one without a suffix too: i32 or f32. */
    static Optional<ScalarType> ofLiteral(WgslToken literal) {
        String text = literal.text();
        if (literal.kind() != WgslToken.Kind.NUMBER) {
            return text.equals("true") || text.equals("false") ? Optional.of(BOOL) : Optional.empty();
        }
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        boolean fraction = hex ? text.matches(".*[.pP].*") : text.matches(".*[.eEf].*");
        return Optional.of(
                switch (text.charAt(text.length() - 1)) {
                    case 'u' -> U32;
                    case 'i' -> I32;
                    case 'h' -> F16;
                    default -> fraction ? F32 : I32;
                });
    }

    /** The name in WGSL. */
    String wgsl() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the literal of a value; empty if the type does not have it. */
    Optional<String> literal(double value) {
        return switch (this) {
            case BOOL -> value == 0 || value == 1 ? Optional.of(value == 1 ? "true" : "false") : Optional.empty();
            case I32 -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "");
            case U32 -> whole(value, 0, 0xFFFF_FFFFL, "u");
            case F32 -> Float.isFinite((float) value) ? Optional.of((float) value + "f") : Optional.empty();
            case F16 -> {
                float rounded = Float.float16ToFloat(Float.floatToFloat16((float) value));
                yield Math.abs(rounded) <= MAX_F16 ? Optional.of(rounded + "h") : Optional.empty();
            }
        };
    }

    private static Optional<String> whole(double value, long least, long most, String suffix) {
        return value == Math.rint(value) && value >= least && value <= most
                ? Optional.of((long) value + suffix)
                : Optional.empty();
    }
}
