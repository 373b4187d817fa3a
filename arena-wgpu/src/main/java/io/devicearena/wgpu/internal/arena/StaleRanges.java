package io.devicearena.wgpu.internal.arena;

import java.util.Arrays;

/**
 * Which bytes of the arena were written without their f16 mirror: disjoint ranges in ascending order.
 *
 * <p>A change takes O(log n) steps and moves the ranges behind it; it allocates only when there are more ranges than ever
 * before. Threads: safe for any thread.
 */
public final class StaleRanges {
    private long[] froms = new long[8];
    private long[] tos = new long[8];
    private int count;

    /** Makes a set without any. */
    public StaleRanges() {}

    /** Adds the bytes from {@code from} to {@code to}, exclusive. */
    public synchronized void add(long from, long to) {
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
        replace(begin, end, 1);
        froms[begin] = low;
        tos[begin] = high;
    }

    /** Takes the bytes from {@code from} to {@code to}, exclusive, away. */
    public synchronized void remove(long from, long to) {
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
        replace(begin, end, kept);
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

    /** Tells whether any of the bytes from {@code from} to {@code to}, exclusive, is in the set. */
    public synchronized boolean meets(long from, long to) {
        int place = firstEndingAtOrAfter(from + 1);
        return from < to && place < count && froms[place] < to;
    }

    /** The first range whose end is at a byte or after it. */
    private int firstEndingAtOrAfter(long at) {
        int place = Arrays.binarySearch(tos, 0, count, at);
        return place >= 0 ? place : -place - 1;
    }

    /** Puts room for {@code room} ranges where those from {@code begin} to {@code end} were. */
    private void replace(int begin, int end, int room) {
        int grown = count - (end - begin) + room;
        if (grown > froms.length) {
            froms = Arrays.copyOf(froms, 2 * froms.length);
            tos = Arrays.copyOf(tos, 2 * tos.length);
        }
        System.arraycopy(froms, end, froms, begin + room, count - end);
        System.arraycopy(tos, end, tos, begin + room, count - end);
        count = grown;
    }
}
