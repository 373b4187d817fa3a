package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;

/**
 * Tells whether a buffer that spans a step of the floor can find both sides filled up to one height.
 *
 * <p>Up to the lowest that spans it, the side after the step is filled by buffers that begin there, the side before it by
 * buffers that end there, and the rest is waste. Where no choice of the two keeps that within the capacity, it is a dead end.
 *
 * <p>Threads: one thread at a time.
 */
final class Bridges {
    /** Of more buffers all subsets would cost more to look at than they save. */
    private static final int MOST_SUMMED = 5;

    private final Lifetimes part;
    private final Terrain terrain;
    private final long[] sumsBefore = new long[1 << MOST_SUMMED];
    private final long[] sumsAfter = new long[1 << MOST_SUMMED];

    Bridges(Lifetimes part, Terrain terrain) {
        this.part = part;
        this.terrain = terrain;
    }

    /** Tells whether the step between a moment and the one before it is no dead end, as far as can be told. */
    boolean arePossible(int step, long capacity) {
        int beginners = sums(terrain.beginning(), step, sumsAfter);
        int enders = sums(terrain.ending(), step - 1, sumsBefore);
        if (beginners == 0 || enders == 0 || sumsAfter[beginners - 1] == terrain.rest(step)) {
            return true;
        }
        long rise = terrain.floor(step) - terrain.floor(step - 1);
        long wasteAfter = capacity - terrain.floor(step) - terrain.rest(step);
        long wasteBefore = capacity - terrain.floor(step - 1) - terrain.rest(step - 1);
        for (int i = 0; i < beginners; i++) {
            for (int k = 0; k < enders; k++) {
                long difference = rise + sumsAfter[i] - sumsBefore[k];
                if (-wasteAfter <= difference && difference <= wasteBefore) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Writes the sizes of all subsets of buffers still to be placed, all of them last; 0 if they are too many. */
    private int sums(Waiting lists, int moment, long[] found) {
        int n = 1;
        for (int buffer = lists.first(moment); buffer != Waiting.NONE; buffer = lists.after(buffer)) {
            if (n == found.length) {
                return 0;
            }
            long size = part.size(buffer);
            for (int i = 0; i < n; i++) {
                found[n + i] = found[i] + size;
            }
            n *= 2;
        }
        return n;
    }
}
