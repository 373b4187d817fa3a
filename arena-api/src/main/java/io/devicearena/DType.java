package io.devicearena;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The element type of a value.
 *
 * <p>An arena reads and writes {@link #F32}, {@link #F16} and {@link #BF16} as host floats; every other type travels as
 * raw bytes ({@link DeviceArena#writeBytes}).
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> F32, F64 and F16 are binary32, binary64 and binary16 of IEEE 754-2019, section 3.6; BF16 is the
 * upper half of a binary32 (8 exponent bits, 7 stored fraction bits).
 */
public enum DType {
    /** IEEE 754 binary32, 4 bytes an element. */
    F32(4),
    /** IEEE 754 binary16, 2 bytes an element. */
    F16(2),
    /** The upper half of a binary32, 2 bytes an element. */
    BF16(2),
    /** IEEE 754 binary64, 8 bytes an element. */
    F64(8),
    /** Signed integer, 1 byte an element. */
    I8(1),
    /** Signed integer, 2 bytes an element. */
    I16(2),
    /** Signed integer, 4 bytes an element. */
    I32(4),
    /** Signed integer, 8 bytes an element. */
    I64(8),
    /** Unsigned integer, 1 byte an element. */
    U8(1),
    /** Unsigned integer, 2 bytes an element. */
    U16(2),
    /** Unsigned integer, 4 bytes an element. */
    U32(4),
    /** Unsigned integer, 8 bytes an element. */
    U64(8),
    /** Truth value, 1 byte an element. */
    BOOL(1);

    private final int bytes;
    private final String label;

    DType(int bytes) {
        this.bytes = bytes;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** {@return the size of one element, 1 to 8 bytes} */
    public int bytes() {
        return bytes;
    }

    /**
     * The name that files and messages use.
     *
     * @return the lower-case name, for example {@code bf16}
     */
    public String label() {
        return label;
    }

    /** {@return whether an arena reads and writes this type as host floats: true for F32, F16 and BF16} */
    public boolean isHostFloat() {
        return this == F32 || this == F16 || this == BF16;
    }

    /**
     * Finds the type with a name.
     *
     * @param label a name as {@link #label} gives it, in any case
     * @return the type
     * @throws IllegalArgumentException if no type has that name; the message lists those that exist
     */
    public static DType parse(String label) {
        for (DType type : values()) {
            if (type.label.equalsIgnoreCase(label)) {
                return type;
            }
        }
        String known = Arrays.stream(values()).map(DType::label).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("dtype: expected one of " + known + ", got '" + label + "'");
    }
}
