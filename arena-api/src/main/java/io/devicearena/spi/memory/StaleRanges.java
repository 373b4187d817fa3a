package io.devicearena.spi.memory;

import java.util.Arrays;

/**
 * The bytes of an arena that were written without their f16 mirrors.
 *
 * <p>A change finds its place in O(log n) and moves what is behind it. It allocates only if there are more ranges than
 * ever before.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
final class StaleRanges {
    /** Where the ranges begin and end, in turn and in ascending order; ranges that touch are one. */
    private long[] bounds = new long[16];

    private int count;

    /**
     * Adds a range of bytes.
     *
     * @param from the first byte
     * @param to the byte behind the last
     */
    synchronized void add(long from, long to) {
        set(from, to, true);
    }

    /**
     * Removes a range of bytes.
     *
     * @param from the first byte
     * @param to the byte behind the last
     */
    synchronized void remove(long from, long to) {
        set(from, to, false);
    }

    /**
     * Whether any byte of a range is in the set.
     *
     * @param from the first byte
     * @param to the byte behind the last
     * @return whether one is
     */
    synchronized boolean meets(long from, long to) {
        int next = firstFrom(from + 1);
        return from < to && (isWithin(next) || (next < count && bounds[next] < to));
    }

    private void set(long from, long to, boolean stale) {
        if (from >= to) {
            return;
        }
        int begin = firstFrom(from);
        int end = firstFrom(to + 1);
        boolean beginsHere = isWithin(begin) != stale;
        boolean endsHere = isWithin(end) != stale;
        resize(begin, end, (beginsHere ? 1 : 0) + (endsHere ? 1 : 0));
        if (beginsHere) {
            bounds[begin++] = from;
        }
        if (endsHere) {
            bounds[begin] = to;
        }
    }

    /** The index of the first bound at a byte or after it. */
    private int firstFrom(long at) {
        int index = Arrays.binarySearch(bounds, 0, count, at);
        return index >= 0 ? index : -index - 1;
    }

    /** Whether the bytes before a bound are in the set: it is the end of a range. */
    private static boolean isWithin(int index) {
        return index % 2 != 0;
    }

    /** Replaces the bounds from {@code begin} to {@code end} with {@code added} bounds that the caller sets. */
    private void resize(int begin, int end, int added) {
        int grown = count - (end - begin) + added;
        if (grown > bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        System.arraycopy(bounds, end, bounds, begin + added, count - end);
        count = grown;
    }
}
