package io.devicearena.spi.memory;

import java.util.Arrays;

/**
 * The bytes of an arena that were written without their f16 mirrors: disjoint ranges in ascending order.
 *
 * <p>A change finds its range in O(log n) and moves the ranges behind it. It allocates only if there are more ranges
 * than ever before.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
final class StaleRanges {
    private long[] froms = new long[8];
    private long[] tos = new long[8];
    private int count;

    /**
     * Adds a range of bytes.
     *
     * @param from the first byte
     * @param to the byte behind the last
     */
    synchronized void add(long from, long to) {
        if (from >= to) {
            return;
        }
        int begin = firstEndingAtOrAfter(from);
        int end = begin;
        long low = from;
        long high = to;
        while (end < count && froms[end] <= to) {
            low = Math.min(low, froms[end]);
            high = Math.max(high, tos[end]);
            end++;
        }
        reindex(begin, end, 1);
        froms[begin] = low;
        tos[begin] = high;
    }

    /**
     * Removes a range of bytes.
     *
     * @param from the first byte
     * @param to the byte behind the last
     */
    synchronized void remove(long from, long to) {
        if (from >= to) {
            return;
        }
        int begin = firstEndingAtOrAfter(from + 1);
        int end = begin;
        while (end < count && froms[end] < to) {
            end++;
        }
        if (begin == end) {
            return;
        }
        long low = froms[begin];
        long high = tos[end - 1];
        int kept = (low < from ? 1 : 0) + (high > to ? 1 : 0);
        reindex(begin, end, kept);
        int next = begin;
        if (low < from) {
            froms[next] = low;
            tos[next++] = from;
        }
        if (high > to) {
            froms[next] = to;
            tos[next] = high;
        }
    }

    /**
     * Whether any byte of a range is in the set.
     *
     * @param from the first byte
     * @param to the byte behind the last
     * @return whether one is
     */
    synchronized boolean meets(long from, long to) {
        int index = firstEndingAtOrAfter(from + 1);
        return from < to && index < count && froms[index] < to;
    }

    /** The index of the first range that ends at a byte or after it. */
    private int firstEndingAtOrAfter(long at) {
        int index = Arrays.binarySearch(tos, 0, count, at);
        return index >= 0 ? index : -index - 1;
    }

    /** Replaces the ranges from {@code begin} to {@code end} with {@code added} ranges that the caller sets. */
    private void reindex(int begin, int end, int added) {
        int grown = count - (end - begin) + added;
        if (grown > froms.length) {
            froms = Arrays.copyOf(froms, 2 * froms.length);
            tos = Arrays.copyOf(tos, 2 * tos.length);
        }
        System.arraycopy(froms, end, froms, begin + added, count - end);
        System.arraycopy(tos, end, tos, begin + added, count - end);
        count = grown;
    }
}
