package io.devicearena.plan.placement;

import java.util.Arrays;

/**
 * A busy set of many spans: runs in address order, none of them empty.
 *
 * <p>A search passes over a whole run whose widest gap is too small. Threads: one thread at a time.
 */
final class BusyRuns implements BusySet {
    private final long smallestGap;
    private BusyRun[] runs;
    /** Where each run starts and ends, and how wide its widest gap is: a search reads these arrays in place of each run. */
    private long[] starts;

    private long[] ends;
    private long[] widestGaps;
    private int count;
    /** The run that a search found last, in case the next one begins there. */
    private int latest;

    /** Goes on from a full run. */
    BusyRuns(BusyRun full) {
        this.smallestGap = full.smallestGap();
        this.runs = new BusyRun[4];
        this.starts = new long[4];
        this.ends = new long[4];
        this.widestGaps = new long[4];
        this.count = 1;
        set(0, full);
    }

    @Override
    public long firstFit(long address, long size) {
        int run = firstWithEndAfter(address);
        if (run == count) {
            return address;
        }
        long fit = runs[run].firstFit(address, size);
        while (fit == ends[run]) {
            run++;
            latest = run;
            if (run == count || starts[run] - fit >= size) {
                return fit;
            }
            fit = widestGaps[run] < size ? ends[run] : runs[run].firstFit(fit, size);
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
            set(run, runs[run]);
            if (low >= starts[run + 1]) {
                run++;
            } else {
                newHigh = absorbAfter(run, newHigh);
            }
        }
        runs[run].take(low, newHigh);
        set(run, runs[run]);
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
            set(to, runs[to]);
        }
        if (to > from) {
            move(to, from);
        }
        return newHigh;
    }

    private void insert(int at, BusyRun run) {
        if (count == runs.length) {
            runs = Arrays.copyOf(runs, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            widestGaps = Arrays.copyOf(widestGaps, 2 * count);
        }
        move(at, at + 1);
        set(at, run);
    }

    /** Moves all from one place on to another place. */
    private void move(int from, int to) {
        System.arraycopy(runs, from, runs, to, count - from);
        System.arraycopy(starts, from, starts, to, count - from);
        System.arraycopy(ends, from, ends, to, count - from);
        System.arraycopy(widestGaps, from, widestGaps, to, count - from);
        count += to - from;
    }

    /** Puts a run at a place, or notes what has changed of the one there. */
    private void set(int at, BusyRun run) {
        runs[at] = run;
        starts[at] = run.start();
        ends[at] = run.end();
        widestGaps[at] = run.widestGap();
    }

    /** The first run that ends after an address, or how many there are: mostly the one found last, or the next one. */
    private int firstWithEndAfter(long address) {
        int low = 0;
        int high = count;
        if (latest < count && ends[latest] > address) {
            high = latest;
            low = latest == 0 || ends[latest - 1] <= address ? latest : 0;
        } else if (latest + 1 < count) {
            low = latest + 1;
            high = ends[low] > address ? low : high;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > address) {
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
