package io.devicearena.plan;

import io.devicearena.BufferSlot;

/** Places persistent values one behind the other, each at the lowest free offset that the boundary allows. */
final class BumpAllocator {
    private final long boundary;
    private long end; // the first byte behind all values so far

    /** Starts at an aligned offset. A value that is larger than the boundary begins at a multiple of it; 0 is none. */
    BumpAllocator(long start, long boundary) {
        this.end = start;
        this.boundary = boundary;
    }

    BufferSlot allocate(String name, long size) {
        long offset = end;
        if (boundary > 0 && offset % boundary > 0 && size > boundary - offset % boundary) {
            offset = sum(name, offset, boundary - offset % boundary);
        }
        end = sum(name, offset, size);
        return new BufferSlot(offset, size);
    }

    private static long sum(String name, long bytes, long more) {
        if (bytes > Long.MAX_VALUE - more) {
            throw tooMany(name, more, bytes);
        }
        return bytes + more;
    }

    static InvalidGraphException tooMany(String name, long bytes, long others) {
        return new InvalidGraphException(name + ": expected all values to add up to at most " + Long.MAX_VALUE
                + " bytes, got " + bytes + " on top of " + others);
    }

    long end() {
        return end;
    }
}
