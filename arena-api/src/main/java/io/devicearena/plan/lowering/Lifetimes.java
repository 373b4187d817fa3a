package io.devicearena.plan.lowering;

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

    /** How many moments a life lasts. */
    default int length(int life) {
        return end(life) - first(life);
    }

    /** Units that a life takes, 1 or more. */
    long size(int life);

    /** The lowest address from one on at which room does not cross a multiple of the boundary. */
    long clearOfBoundary(long address, long size);

    /** The highest address at which a life ends within so many bytes above the origin; below 0 if none does. */
    long highest(int life, long bytes);

    /** The bytes above the origin that a placement needs; the padding of what ends last is not among them. */
    long bytes(long[] addresses);
}
