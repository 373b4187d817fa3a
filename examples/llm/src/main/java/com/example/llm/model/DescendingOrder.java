package com.example.llm.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Puts the indices of floats in the order of the floats, the largest first; of equal ones the lower index is first. A
 * NaN is above all numbers, 0 above -0. It sorts by one byte after the other, and allocates nothing.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Source:</b> D. Knuth, The Art of Computer Programming, volume 3, 5.2.5: radix sort.
 */
final class DescendingOrder {
    private static final int BYTES = 4;
    private static final int VALUES = 256;

    /** Each a key in the upper half, which is the smaller the larger the float, and an index in the lower. */
    private long[] order;

    private long[] spare;
    private final int[] next = new int[VALUES];

    DescendingOrder(int size) {
        order = new long[size];
        spare = new long[size];
    }

    void sort(MemorySegment floats) {
        for (int i = 0; i < order.length; i++) {
            int bits = Float.floatToIntBits(floats.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i));
            int descending = bits < 0 ? bits : bits ^ Integer.MAX_VALUE;
            order[i] = (long) descending << 32 | i;
        }
        for (int digit = 0; digit < BYTES; digit++) {
            sortBy(Integer.SIZE + Byte.SIZE * digit);
        }
    }

    /** Sorts by one byte; what has the same one keeps its order. */
    private void sortBy(int shift) {
        Arrays.fill(next, 0);
        for (long entry : order) {
            next[(int) (entry >>> shift) & VALUES - 1]++;
        }
        int first = 0;
        for (int value = 0; value < VALUES; value++) {
            int count = next[value];
            next[value] = first;
            first += count;
        }
        for (long entry : order) {
            spare[next[(int) (entry >>> shift) & VALUES - 1]++] = entry;
        }
        long[] sorted = spare;
        spare = order;
        order = sorted;
    }

    /** The index of the float that has this rank, 0 for the largest. */
    int index(int rank) {
        return (int) order[rank];
    }
}
