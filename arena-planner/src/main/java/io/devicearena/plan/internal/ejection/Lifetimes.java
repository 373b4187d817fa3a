package io.devicearena.plan.internal.ejection;

/**
 * What is placed: rectangles of a range of moments by a number of units of the alignment. A placement of them is an array of
 * addresses, in units above the origin, one for each.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface Lifetimes {
    /** How many lives there are, 1 or more. */
    int count();

    /** How many moments there are, 1 or more. */
    int moments();

    /** The first moment of a life. */
    int first(int life);

    /** The moment after a life's last. */
    int end(int life);

    /** A life's last moment. */
    default int last(int life) {
        return end(life) - 1;
    }

    /** How many moments a life lasts. */
    default int length(int life) {
        return end(life) - first(life);
    }

    /** How many steps of the problem a life lasts, 1 or more. */
    long steps(int life);

    /** Units that a life takes, 1 or more. */
    long size(int life);

    /** The lowest address from one on at which room does not cross a multiple of the boundary. */
    long clearOfBoundary(long address, long size);

    /** Tells whether there is a boundary that no life may cross. */
    boolean hasBoundary();

    /** The bytes of a unit, 1 or more. */
    long alignment();

    /** What a life takes before that is rounded up to units, in bytes. */
    long bytes(int life);

    /** The highest address at which a life ends within so many bytes above the origin; below 0 if none does. */
    default long highest(int life, long bytes) {
        long size = bytes(life);
        return bytes < size ? -1 : (bytes - size) / alignment();
    }

    /** The bytes above the origin that a placement needs; the padding of what ends last is not among them. */
    default long bytes(long[] addresses) {
        long most = 0;
        for (int i = 0; i < addresses.length; i++) {
            most = Math.max(most, addresses[i] * alignment() + bytes(i));
        }
        return most;
    }
}
