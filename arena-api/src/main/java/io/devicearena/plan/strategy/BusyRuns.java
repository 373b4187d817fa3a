package io.devicearena.plan.strategy;

import java.util.Arrays;

/**
 * A busy set of many spans: runs in address order, none of them empty.
 *
 * <p>A search passes over a whole run whose widest gap is too small. Threads: one thread at a time.
 */
final class BusyRuns implements BusySet {
    private final long smallestGap;
    private BusyRun[] runs;
    /** Where each run ends, beside the runs: a search reads this array in place of each run. */
    private long[] ends;

    private int count;

    /** Goes on from a full run. */
    BusyRuns(BusyRun full) {
        this.smallestGap = full.smallestGap();
        this.runs = new BusyRun[4];
        this.runs[0] = full;
        this.ends = new long[4];
        this.ends[0] = full.end();
        this.count = 1;
    }

    @Override
    public long firstFit(long address, long size) {
        int run = firstWithEndAfter(address);
        if (run == count) {
            return address;
        }
        long fit = runs[run].firstFit(address, size);
        while (fit == runs[run].end()) {
            run++;
            if (run == count || runs[run].start() - fit >= size) {
                return fit;
            }
            fit = runs[run].widestGap() < size ? runs[run].end() : runs[run].firstFit(fit, size);
        }
        return fit;
    }

    @Override
    public long nextTaken(long address) {
        int run = firstWithEndAfter(address);
        return run == count ? NONE : runs[run].nextTaken(address);
    }

    @Override
    public boolean covers(long low, long high) {
        int run = firstWithEndAfter(low);
        return run < count && runs[run].covers(low, high);
    }

    @Override
    public BusySet with(long low, long high) {
        int run = Math.min(firstReaching(low), count - 1);
        long newHigh = absorbAfter(run, high);
        if (runs[run].isFull()) {
            insert(run + 1, runs[run].splitUpperHalf());
            ends[run] = runs[run].end();
            if (low >= runs[run + 1].start()) {
                run++;
            } else {
                newHigh = absorbAfter(run, newHigh);
            }
        }
        runs[run].take(low, newHigh);
        ends[run] = runs[run].end();
        return this;
    }

    /** Removes from the runs after one what a span up to an address reaches; returns how far the span goes with it. */
    private long absorbAfter(int run, long high) {
        int from = run + 1;
        int to = from;
        long newHigh = high;
        while (to < count && runs[to].lastStart() - high < smallestGap) {
            newHigh = Math.max(newHigh, runs[to++].end());
        }
        if (to < count) {
            newHigh = Math.max(newHigh, runs[to].dropReaching(high));
        }
        if (to > from) {
            System.arraycopy(runs, to, runs, from, count - to);
            System.arraycopy(ends, to, ends, from, count - to);
            count -= to - from;
        }
        return newHigh;
    }

    private void insert(int at, BusyRun run) {
        if (count == runs.length) {
            runs = Arrays.copyOf(runs, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        System.arraycopy(runs, at, runs, at + 1, count - at);
        System.arraycopy(ends, at, ends, at + 1, count - at);
        runs[at] = run;
        ends[at] = run.end();
        count++;
    }

    private int firstWithEndAfter(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > address) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private int firstReaching(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (address - ends[middle] < smallestGap) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
