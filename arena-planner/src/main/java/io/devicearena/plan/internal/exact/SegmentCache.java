package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * Remembers which segments of the skyline are unchanged since they were looked at.
 *
 * <p>Known segments never overlap: a new one replaces those that it meets. Threads: one thread at a time.
 */
final class SegmentCache {
    private static final int UNKNOWN = 0;

    /** For each clique the first one of the latest segment that covered it. */
    private final int[] starts;
    /** For the first clique of each known segment the end of it. */
    private final int[] ends;

    SegmentCache(int cliques) {
        this.starts = new int[cliques];
        this.ends = new int[cliques];
    }

    void clear() {
        Arrays.fill(ends, UNKNOWN);
    }

    /** The end of the known segment that begins at a clique; 0 if none is known. */
    int end(int start) {
        return ends[start];
    }

    void add(int start, int end) {
        Arrays.fill(starts, start, end, start);
        Arrays.fill(ends, start, end, UNKNOWN);
        ends[start] = end;
    }

    /** Forgets the segments that overlap a range. */
    void forget(int from, int to) {
        for (int c = from; c < to; c++) {
            ends[starts[c]] = UNKNOWN;
        }
    }
}
