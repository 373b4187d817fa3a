package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;

/**
 * How much room an attempt at a part has: the capacity, and how high each buffer may go.
 *
 * <p>Threads: one thread at a time.
 */
final class Room {
    private final Lifetimes part;
    /** The highest address of each buffer. */
    private final long[] ceiling;

    private long capacity;
    private long whole;

    Room(Lifetimes part) {
        this.part = part;
        this.ceiling = new long[part.count()];
    }

    /** Makes it so many bytes above the origin; false if one buffer alone does not fit. */
    boolean resize(long bytes) {
        capacity = (bytes - 1) / part.alignment() + 1;
        whole = bytes / part.alignment();
        for (int i = 0; i < ceiling.length; i++) {
            ceiling[i] = part.highest(i, bytes);
            if (ceiling[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Units of the alignment, the last one perhaps not a whole one. */
    long capacity() {
        return capacity;
    }

    long ceiling(int buffer) {
        return ceiling[buffer];
    }

    /** Tells whether a buffer may begin at an address: it ends within the capacity, and crosses no boundary. */
    boolean mayRest(int buffer, long address) {
        return address <= ceiling[buffer] && part.clearOfBoundary(address, part.size(buffer)) == address;
    }

    /**
     * Tells whether buffers that lie between a floor and this one may change places with it, each as high above the others as
     * before. Not where there are boundaries, and not where this one alone may end in the last unit, which is not a whole one.
     */
    boolean isExchangeable(int buffer) {
        return !part.hasBoundary() && ceiling[buffer] + part.size(buffer) <= whole;
    }
}
