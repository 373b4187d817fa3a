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
            requireWithin(name, size, boundary);
            long room = boundary - offset % boundary;
            if (size > room) {
                offset = sum(name, offset, room);
            }
        }
        top = sum(name, offset, size);
        return new BufferSlot(offset, size);
    }

    private static long sum(String name, long bytes, long more) {
        if (bytes > Long.MAX_VALUE - more) {
            throw new InvalidGraphException(name + ": expected all values to add up to at most " + Long.MAX_VALUE
                    + " bytes, got " + more + " on top of " + bytes);
        }
        return bytes + more;
    }

    /**
     * Checks that a value fits between two multiples of the boundary.
     *
     * @throws InvalidGraphException if it does not
     */
    static void requireWithin(String name, long size, long boundary) {
        if (boundary > 0 && size > boundary) {
            throw new InvalidGraphException(name + ": expected at most the boundary of " + boundary
                    + " bytes that no slot may cross, got " + size);
        }
    }

    /** Whether a slot has bytes on both sides of a multiple of the boundary. */
    static boolean crosses(long offset, long size, long boundary) {
        return boundary > 0 && size > 0 && offset / boundary != (offset + size - 1) / boundary;
    }

    long top() {
        return top;
    }
}
