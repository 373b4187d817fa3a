package io.devicearena.plan.search;

import java.util.Arrays;

/**
 * What a search in depth has placed and what is left: the floor at each moment, below which nothing more is placed. Every change can be
 * undone.
 *
 * <p>Threads: one thread at a time.
 */
final class Terrain {
    /** Second numbers of changes that are no raised floor. */
    private static final int PLACED = -1;

    private static final int LIFTED = -2;
    /** What the largest buffer adds to the fill for each of its moments. */
    private static final int BULKIEST = 1 << 20;

    private final Part part;
    private final int[][] beginning;
    private final int[][] ending;
    private final long[] floor;
    /** Units still to be placed at each moment. */
    private final long[] rest;
    /** Fingerprint of the buffers still to be placed that begin at each moment. */
    private final long[] restPrint;

    private final long[] momentPrint;
    private final long[] print;
    private final boolean[] placed;
    private final long[] offsets;
    /** Below that no placement of a buffer is of use. */
    private final long[] lowest;

    /** What of it a placed buffer adds to the {@link #fill}. */
    private final long[] bulk;

    private long fill;
    private long printLow;
    private long printHigh;

    /** Changes: the first moment of a raised floor and its end, or a buffer and what became of it; and the value before. */
    private int[] changed = new int[1 << 10];

    private int[] changedEnd = new int[1 << 10];
    private long[] before = new long[1 << 10];
    private int changes;

    Terrain(Part part) {
        this.part = part;
        int count = part.count();
        int moments = part.moments();
        int[] firsts = new int[count];
        int[] lasts = new int[count];
        this.print = new long[count];
        this.bulk = new long[count];
        this.momentPrint = new long[moments];
        long largest = 1;
        long seed = 0;
        for (int i = 0; i < count; i++) {
            firsts[i] = part.first(i);
            lasts[i] = part.last(i);
            largest = Math.max(largest, part.size(i));
            seed += 0x9E3779B97F4A7C15L;
            print[i] = FailedStates.mix(seed);
        }
        for (int i = 0; i < count; i++) {
            long share = 1 + (long) (BULKIEST * ((double) part.size(i) / largest));
            bulk[i] = share * (lasts[i] - firsts[i] + 1);
        }
        for (int m = 0; m < moments; m++) {
            momentPrint[m] = FailedStates.mix(m);
        }
        this.beginning = byMoment(firsts);
        this.ending = byMoment(lasts);
        this.floor = new long[moments];
        this.rest = new long[moments];
        this.restPrint = new long[moments];
        this.placed = new boolean[count];
        this.offsets = new long[count];
        this.lowest = new long[count];
    }

    private int[][] byMoment(int[] key) {
        int[] sizeOf = new int[part.moments()];
        for (int moment : key) {
            sizeOf[moment]++;
        }
        int[][] lists = new int[part.moments()][];
        for (int m = 0; m < lists.length; m++) {
            lists[m] = new int[sizeOf[m]];
        }
        for (int i = 0; i < key.length; i++) {
            lists[key[i]][--sizeOf[key[i]]] = i;
        }
        return lists;
    }

    /** Takes all away. */
    void clear() {
        changes = 0;
        fill = 0;
        Arrays.fill(floor, 0);
        Arrays.fill(rest, 0);
        Arrays.fill(restPrint, 0);
        Arrays.fill(placed, false);
        Arrays.fill(lowest, 0);
        for (int i = 0; i < placed.length; i++) {
            restPrint[part.first(i)] ^= print[i];
            for (int m = part.first(i); m <= part.last(i); m++) {
                rest[m] += part.size(i);
            }
        }
    }

    int moments() {
        return floor.length;
    }

    long floor(int moment) {
        return floor[moment];
    }

    long rest(int moment) {
        return rest[moment];
    }

    /** The buffers that begin at a moment. */
    int[] beginning(int moment) {
        return beginning[moment];
    }

    /** The buffers whose last moment it is. */
    int[] ending(int moment) {
        return ending[moment];
    }

    boolean isPlaced(int buffer) {
        return placed[buffer];
    }

    long lowest(int buffer) {
        return lowest[buffer];
    }

    /** Grows with what is placed, for long and large buffers the more. */
    long fill() {
        return fill;
    }

    /** The addresses of the placed buffers; those of others mean nothing. */
    long[] offsets() {
        return offsets;
    }

    /** Tells whether a buffer still to be placed lives both before and at a moment. */
    boolean isCrossed(int moment) {
        long begin = 0;
        for (int buffer : beginning[moment]) {
            if (!placed[buffer]) {
                begin += part.size(buffer);
            }
        }
        return rest[moment] > begin;
    }

    /** Places a buffer on the flat floor below it; returns whether that finished a moment. */
    boolean place(int buffer) {
        long size = part.size(buffer);
        int first = part.first(buffer);
        int last = part.last(buffer);
        long top = floor[first] + size;
        offsets[buffer] = floor[first];
        raise(first, last + 1, top);
        placed[buffer] = true;
        fill += bulk[buffer];
        restPrint[first] ^= print[buffer];
        record(buffer, PLACED, 0);
        boolean finished = false;
        for (int m = first; m <= last; m++) {
            rest[m] -= size;
            finished |= rest[m] == 0;
        }
        return finished;
    }

    /** Raises the floor of moments that have the same one. */
    void raise(int first, int end, long to) {
        record(first, end, floor[first]);
        Arrays.fill(floor, first, end, to);
    }

    /** Keeps a buffer from an address down. */
    void lift(int buffer, long above) {
        record(buffer, LIFTED, lowest[buffer]);
        lowest[buffer] = Math.max(lowest[buffer], above + 1);
    }

    private void record(int what, int end, long value) {
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
            changedEnd = Arrays.copyOf(changedEnd, 2 * changes);
            before = Arrays.copyOf(before, 2 * changes);
        }
        changed[changes] = what;
        changedEnd[changes] = end;
        before[changes++] = value;
    }

    /** How many changes there were: all later ones can be undone. */
    int changes() {
        return changes;
    }

    /** Undoes the latest changes, down to so many. */
    void undo(int down) {
        while (changes > down) {
            changes--;
            int what = changed[changes];
            int end = changedEnd[changes];
            if (end == PLACED) {
                takeAway(what);
            } else if (end == LIFTED) {
                lowest[what] = before[changes];
            } else {
                Arrays.fill(floor, what, end, before[changes]);
            }
        }
    }

    private void takeAway(int buffer) {
        placed[buffer] = false;
        fill -= bulk[buffer];
        restPrint[part.first(buffer)] ^= print[buffer];
        for (int m = part.first(buffer); m <= part.last(buffer); m++) {
            rest[m] += part.size(buffer);
        }
    }

    /** Takes a fingerprint of 128 bits of what is left in some moments and the floor below it. */
    void takePrint(int from, int to) {
        long low = 0;
        long high = 0;
        for (int m = from; m < to; m++) {
            long state = FailedStates.mix(floor[m] + momentPrint[m]) ^ restPrint[m];
            low += state;
            high += FailedStates.mix(state);
        }
        printLow = low;
        printHigh = high;
    }

    long printLow() {
        return printLow;
    }

    long printHigh() {
        return printHigh;
    }
}
