package io.devicearena.plan.search;

import java.util.Arrays;

/**
 * Numbers from 0 in the order of keys that change one at a time; gives any of them in that order without sorting.
 *
 * <p>Threads: one thread at a time.
 */
final class RankedKeys {
    private final long[] keys;
    private final int[] order;
    private final int[] ranks;
    /** A bit for each rank. */
    private final long[] marks;

    private RankedKeys(long[] keys, int[] order, int[] ranks) {
        this.keys = keys;
        this.order = order;
        this.ranks = ranks;
        this.marks = new long[(keys.length + Long.SIZE - 1) / Long.SIZE];
    }

    /** Orders the places of some keys in O(n log n); of equal keys the first place comes first. */
    static RankedKeys of(long[] keys) {
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        int[] merged = new int[keys.length];
        for (int width = 1; width < order.length; width *= 2) {
            for (int from = 0; from < order.length; from += 2 * width) {
                int middle = Math.min(from + width, order.length);
                merge(keys, order, from, middle, Math.min(middle + width, order.length), merged);
            }
            int[] swapped = order;
            order = merged;
            merged = swapped;
        }
        int[] ranks = new int[keys.length];
        for (int rank = 0; rank < order.length; rank++) {
            ranks[order[rank]] = rank;
        }
        return new RankedKeys(keys.clone(), order, ranks);
    }

    private static void merge(long[] keys, int[] order, int from, int middle, int to, int[] merged) {
        int left = from;
        int right = middle;
        for (int at = from; at < to; at++) {
            boolean takesLeft = right == to || (left < middle && keys[order[left]] <= keys[order[right]]);
            merged[at] = takesLeft ? order[left++] : order[right++];
        }
    }

    RankedKeys copy() {
        return new RankedKeys(keys.clone(), order.clone(), ranks.clone());
    }

    /** Changes a key, in time that grows with the ranks that it passes. */
    void move(int i, long key) {
        int rank = ranks[i];
        keys[i] = key;
        while (rank > 0 && keys[order[rank - 1]] > key) {
            put(order[rank - 1], rank);
            rank--;
        }
        while (rank + 1 < order.length && keys[order[rank + 1]] < key) {
            put(order[rank + 1], rank);
            rank++;
        }
        put(i, rank);
    }

    private void put(int i, int rank) {
        order[rank] = i;
        ranks[i] = rank;
    }

    void mark(int i) {
        marks[ranks[i] / Long.SIZE] |= 1L << ranks[i];
    }

    /** Writes what is marked, the least key first, and clears the marks; returns how many there were. */
    int takeMarked(int[] found) {
        int n = 0;
        for (int word = 0; word < marks.length; word++) {
            for (long bits = marks[word]; bits != 0; bits &= bits - 1) {
                found[n++] = order[word * Long.SIZE + Long.numberOfTrailingZeros(bits)];
            }
        }
        Arrays.fill(marks, 0);
        return n;
    }
}
