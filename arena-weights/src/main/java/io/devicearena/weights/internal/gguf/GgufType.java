package io.devicearena.weights.internal.gguf;

import java.util.Optional;

/** The types of metadata, in the order of their numbers. */
enum GgufType {
    UINT8(1),
    INT8(1),
    UINT16(2),
    INT16(2),
    UINT32(4),
    INT32(4),
    FLOAT32(4),
    BOOL(1),
    /** A length of 8 bytes, and the text. */
    STRING(8),
    /** A type of 4 bytes, a length of 8, and the elements. */
    ARRAY(12),
    UINT64(8),
    INT64(8),
    FLOAT64(8);

    private static final GgufType[] VALUES = values();

    /** The bytes of a value; the fewest where it has a length of its own. */
    final int bytes;

    GgufType(int bytes) {
        this.bytes = bytes;
    }

    static Optional<GgufType> of(long number) {
        return number >= 0 && number < VALUES.length ? Optional.of(VALUES[(int) number]) : Optional.empty();
    }

    boolean hasOwnLength() {
        return this == STRING || this == ARRAY;
    }
}
