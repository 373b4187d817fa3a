package io.devicearena.plan;

import io.devicearena.DType;

/**
 * How many bytes an element takes in the arena.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Sizing {
    /** 4 bytes, whatever type is declared: every value is kept as f32. */
    F32_UNIFORM,
    /** The bytes of the declared type. */
    DECLARED;

    /**
     * The size of an element.
     *
     * @param dtype the declared type
     * @return bytes
     */
    public long elementBytes(DType dtype) {
        return this == F32_UNIFORM ? DType.F32.bytes() : dtype.bytes();
    }
}
