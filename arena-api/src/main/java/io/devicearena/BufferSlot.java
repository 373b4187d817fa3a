package io.devicearena;

/**
 * The range of an arena that one value occupies.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param offset bytes from the arena's start, 0 or more
 * @param size bytes, padding included, 0 or more
 */
public record BufferSlot(long offset, long size) {
    /**
     * Makes a slot.
     *
     * @throws IllegalArgumentException if {@code offset} or {@code size} is negative, or their sum overflows a long
     */
    public BufferSlot {
        if (offset < 0) {
            throw new IllegalArgumentException("slot offset: expected 0 or more bytes, got " + offset);
        }
        if (size < 0) {
            throw new IllegalArgumentException("slot size: expected 0 or more bytes, got " + size);
        }
        if (offset > Long.MAX_VALUE - size) {
            throw new IllegalArgumentException("slot end: expected at most " + Long.MAX_VALUE + " bytes, got offset "
                    + offset + " + size " + size);
        }
    }

    /**
     * The first byte past the slot.
     *
     * @return {@code offset + size}, bytes from the arena's start
     */
    public long end() {
        return offset + size;
    }
}
