package io.devicearena.plan.placement;

import java.util.Arrays;

/** A busy set of few spans: one sorted array. Threads: one thread at a time. */
final class BusyRun implements BusySet {
    /** As many spans as one array holds: past it, moving them costs more than finding one of several arrays. */
    private static final int MOST_SPANS = 64;

    private final long smallestGap;
    private long[] bounds;
    private int spans;
    private long widestGap;
    /** The span that a search found last, in case the next one begins there. */
    private int latest;

    /**
     * Makes an empty one.
     *
     * @param smallestGap gaps below it count as taken; 1 or more
     */
    BusyRun(long smallestGap) {
        this(smallestGap, new long[4], 0);
    }

    private BusyRun(long smallestGap, long[] bounds, int spans) {
        this.smallestGap = smallestGap;
        this.bounds = bounds;
        this.spans = spans;
        this.widestGap = measureWidestGap();
    }

    long smallestGap() {
        return smallestGap;
    }

    boolean isFull() {
        return spans == MOST_SPANS;
    }

    /** The first address taken; there is one. */
    long start() {
        return bounds[0];
    }

    /** The start of the last span; there is one. */
    long lastStart() {
        return bounds[2 * spans - 2];
    }

    /** The address after the last one taken; there is one. */
    long end() {
        return bounds[2 * spans - 1];
    }

    /** The widest gap between two spans of this run, or 0. */
    long widestGap() {
        return widestGap;
    }

    @Override
    public long firstFit(long address, long size) {
        if (spans == 0 || address >= end()) {
            return address;
        }
        int span = firstEndingAfter(address);
        if (start(span) - address >= size) {
            return address;
        }
        if (widestGap < size) {
            return end();
        }
        while (++span < spans) {
            if (bounds[2 * span] - bounds[2 * span - 1] >= size) {
                latest = span;
                return bounds[2 * span - 1];
            }
        }
        return end();
    }

    @Override
    public long nextTaken(long address) {
        return spans == 0 || address >= end() ? NONE : start(firstEndingAfter(address));
    }

    @Override
    public boolean covers(long low, long high) {
        if (spans == 0 || low >= end()) {
            return false;
        }
        int span = firstEndingAfter(low);
        return start(span) <= low && high <= bounds[2 * span + 1];
    }

    @Override
    public BusySet with(long low, long high) {
        if (isFull()) {
            return new BusyRuns(this).with(low, high);
        }
        take(low, high);
        return this;
    }

    /** Takes a span; the run must not be full. */
    void take(long low, long high) {
        long newLow = low < smallestGap ? 0 : low;
        long newHigh = high;
        int from = firstReaching(newLow);
        int to = from;
        while (to < spans && start(to) - high < smallestGap) {
            to++;
        }
        if (to > from) {
            newLow = Math.min(newLow, start(from));
            newHigh = Math.max(newHigh, bounds[2 * to - 1]);
            if (to == from + 1 && newLow == start(from) && newHigh == bounds[2 * from + 1]) {
                return;
            }
        }
        replace(from, to, newLow, newHigh);
    }

    /** Forgets the spans from the left that begin before an address or less than the smallest gap after it. */
    long dropReaching(long address) {
        int kept = 0;
        while (start(kept) - address < smallestGap) {
            kept++;
        }
        if (kept == 0) {
            return address;
        }
        long end = Math.max(address, bounds[2 * kept - 1]);
        System.arraycopy(bounds, 2 * kept, bounds, 0, 2 * (spans - kept));
        spans -= kept;
        widestGap = measureWidestGap();
        return end;
    }

    /** Parts with the upper half of the spans. */
    BusyRun splitUpperHalf() {
        int half = spans / 2;
        long[] upper = Arrays.copyOfRange(bounds, 2 * half, 2 * half + bounds.length);
        BusyRun split = new BusyRun(smallestGap, upper, spans - half);
        spans = half;
        widestGap = measureWidestGap();
        return split;
    }

    private void replace(int from, int to, long low, long high) {
        boolean inserted = from == to;
        long parted = inserted && from > 0 && from < spans ? start(from) - bounds[2 * from - 1] : 0;
        int grown = spans + 1 - (to - from);
        if (2 * grown > bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        System.arraycopy(bounds, 2 * to, bounds, 2 * from + 2, 2 * (spans - to));
        bounds[2 * from] = low;
        bounds[2 * from + 1] = high;
        spans = grown;
        if (!inserted || parted == widestGap) {
            widestGap = measureWidestGap();
        } else if (from == 0) {
            widestGap = Math.max(widestGap, start(1) - high);
        } else if (from == spans - 1) {
            widestGap = Math.max(widestGap, low - bounds[2 * from - 1]);
        }
    }

    private long start(int span) {
        return bounds[2 * span];
    }

    /** The first span that ends after an address, which is below the end: mostly the one found last, or the next one. */
    private int firstEndingAfter(long address) {
        int low = 0;
        int high = spans - 1;
        if (latest < spans && bounds[2 * latest + 1] > address) {
            high = latest;
            low = latest == 0 || bounds[2 * latest - 1] <= address ? latest : 0;
        } else if (latest + 1 < spans) {
            low = latest + 1;
            high = bounds[2 * low + 1] > address ? low : high;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[2 * middle + 1] > address) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        latest = low;
        return low;
    }

    private int firstReaching(long address) {
        int low = 0;
        int high = spans;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (address - bounds[2 * middle + 1] < smallestGap) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private long measureWidestGap() {
        long widest = 0;
        for (int span = 1; span < spans; span++) {
            widest = Math.max(widest, bounds[2 * span] - bounds[2 * span - 1]);
        }
        return widest;
    }
}
