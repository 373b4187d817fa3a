package io.devicearena.plan.internal.live;

/** Sorts indices by a key each, without boxing; stable. */
public final class RadixSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private RadixSort() {}

    /** Sorts indices by ascending key; index i has the key at position i, 0 or more. */
    public static void sort(int[] indices, long[] keys) {
        long used = 0;
        for (int index : indices) {
            used |= keys[index];
        }
        int[] sorted = new int[indices.length];
        for (int shift = 0; shift < Long.SIZE && used >>> shift != 0; shift += DIGIT_BITS) {
            if (scatter(indices, sorted, keys, shift)) {
                System.arraycopy(sorted, 0, indices, 0, indices.length);
            }
        }
    }

    private static boolean scatter(int[] from, int[] to, long[] keys, int shift) {
        int[] begin = new int[DIGITS + 1];
        for (int index : from) {
            begin[digit(keys[index], shift) + 1]++;
        }
        if (begin[digit(keys[from[0]], shift) + 1] == from.length) {
            return false;
        }
        for (int d = 0; d < DIGITS; d++) {
            begin[d + 1] += begin[d];
        }
        for (int index : from) {
            to[begin[digit(keys[index], shift)]++] = index;
        }
        return true;
    }

    private static int digit(long key, int shift) {
        return (int) (key >>> shift) & (DIGITS - 1);
    }
}
