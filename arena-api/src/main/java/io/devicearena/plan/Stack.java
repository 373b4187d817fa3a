package io.devicearena.plan;

import io.devicearena.BufferSlot;

/** Places values that live together one above the other. */
final class Stack {
    private final long boundary;
    private long top;

    /**
     * Starts a stack.
     *
     * @param bottom bytes; a multiple of the alignment that every size has too
     * @param boundary no slot crosses a multiple of it; 0 for none
     */
    Stack(long bottom, long boundary) {
        this.top = bottom;
        this.boundary = boundary;
    }

    /**
     * Puts a value on top.
     *
     * @throws InvalidGraphException if it is larger than the boundary, or the stack would overflow a long
     */
    BufferSlot push(String name, long size) {
        long offset = top;
        if (boundary > 0 && size > 0) {
            if (size > boundary) {
                throw new InvalidGraphException(name + ": expected at most the boundary of " + boundary
                        + " bytes that no slot may cross, got " + size);
            }
            long room = boundary - offset % boundary;
            if (size > room) {
                offset = Math.addExact(offset, room);
            }
        }
        if (offset > Long.MAX_VALUE - size) {
            throw new InvalidGraphException(name + ": expected all values to add up to at most " + Long.MAX_VALUE
                    + " bytes, got " + size + " on top of " + offset);
        }
        top = offset + size;
        return new BufferSlot(offset, size);
    }

    long top() {
        return top;
    }
}
