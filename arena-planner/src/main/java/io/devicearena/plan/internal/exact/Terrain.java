package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
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
    /** For so many there is room at first; it grows. */
    private static final int CHANGES_PER_BUFFER = 4;

    private final Lifetimes part;
    private final Waiting beginning;
    private final Waiting ending;
    private final long[] floor;
    private final Runs runs;
    /** Units still to be placed at each moment. */
    private final long[] rest;

    private final Prints prints;
    private final boolean[] placed;
    private final long[] offsets;
    /** Below that no placement of a buffer is of use. */
    private final long[] lowest;

    /** What of it a placed buffer adds to the {@link #fill}. */
    private final long[] bulk;

    private long fill;

    /** Changes: the first moment of a raised floor and its end, or a buffer and what became of it; and the value before. */
    private int[] changed;

    private int[] changedEnd;
    private long[] before;
    /** For each change the first moment that it rests on, and one past the last one. */
    private int[] reasonFroms;

    private int[] reasonTos;
    private int changes;

    Terrain(Lifetimes part) {
        this.part = part;
        int count = part.count();
        int moments = part.moments();
        int[] firsts = new int[count];
        int[] lasts = new int[count];
        this.bulk = new long[count];
        long largest = 1;
        for (int i = 0; i < count; i++) {
            firsts[i] = part.first(i);
            lasts[i] = part.last(i);
            largest = Math.max(largest, part.size(i));
        }
        for (int i = 0; i < count; i++) {
            long share = 1 + (long) (BULKIEST * ((double) part.size(i) / largest));
            bulk[i] = share * (lasts[i] - firsts[i] + 1);
        }
        this.beginning = new Waiting(firsts, moments);
        this.ending = new Waiting(lasts, moments);
        this.floor = new long[moments];
        this.runs = new Runs(moments);
        this.rest = new long[moments];
        this.prints = new Prints(part, floor, rest);
        this.placed = new boolean[count];
        this.offsets = new long[count];
        this.lowest = new long[count];
        int room = CHANGES_PER_BUFFER * count;
        this.changed = new int[room];
        this.changedEnd = new int[room];
        this.before = new long[room];
        this.reasonFroms = new int[room];
        this.reasonTos = new int[room];
    }

    /** Takes all away. */
    void clear() {
        changes = 0;
        fill = 0;
        runs.clear();
        prints.clear();
        beginning.clear();
        ending.clear();
        Arrays.fill(floor, 0);
        Arrays.fill(rest, 0);
        Arrays.fill(placed, false);
        Arrays.fill(lowest, 0);
        for (int i = 0; i < placed.length; i++) {
            prints.toggle(i, 0);
            for (int m = part.first(i); m <= part.last(i); m++) {
                rest[m] += part.size(i);
            }
        }
    }

    int moments() {
        return floor.length;
    }

    /** The moment before a range: its wall on that side; the range's first where there is none. */
    int wallBefore(int from) {
        return Math.max(0, from - 1);
    }

    /** One past the moment behind a range: its wall on that side; the range's end where there is none. */
    int wallEnd(int to) {
        return Math.min(moments(), to + 1);
    }

    /** The runs whose floor, walls and buffers are as they were when they were made known. */
    Runs runs() {
        return runs;
    }

    /** Fingerprints of the moments as they are. */
    Prints prints() {
        return prints;
    }

    long floor(int moment) {
        return floor[moment];
    }

    long rest(int moment) {
        return rest[moment];
    }

    /** The buffers still to be placed by the moment at which they begin. */
    Waiting beginning() {
        return beginning;
    }

    /** The buffers still to be placed by their last moment. */
    Waiting ending() {
        return ending;
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
        for (int buffer = beginning.first(moment); buffer != Waiting.NONE; buffer = beginning.after(buffer)) {
            begin += part.size(buffer);
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
        raise(first, last + 1, top, first, last + 1);
        placed[buffer] = true;
        beginning.take(buffer);
        ending.take(buffer);
        fill += bulk[buffer];
        prints.toggle(buffer, lowest[buffer]);
        record(buffer, PLACED, 0, first, last + 1);
        boolean finished = false;
        for (int m = first; m <= last; m++) {
            rest[m] -= size;
            finished |= rest[m] == 0;
        }
        return finished;
    }

    /**
     * Raises the floor of moments that have the same one.
     *
     * @param reason on which moments it rests that nothing of use is lost by it
     */
    void raise(int first, int end, long to, Conflict reason) {
        raise(first, end, to, reason.from(), reason.to());
    }

    private void raise(int first, int end, long to, int reasonFrom, int reasonTo) {
        record(first, end, floor[first], reasonFrom, reasonTo);
        fillFloor(first, end, to);
    }

    private void fillFloor(int first, int end, long to) {
        Arrays.fill(floor, first, end, to);
        prints.forget(first, end);
        runs.forget(first, end);
    }

    /**
     * Keeps a buffer from an address down.
     *
     * @param reason on which moments it rests that nothing of use is lost by it
     */
    void lift(int buffer, long above, Conflict reason) {
        record(buffer, LIFTED, lowest[buffer], reason.from(), reason.to());
        setLowest(buffer, Math.max(lowest[buffer], above + 1));
    }

    private void setLowest(int buffer, long to) {
        prints.lift(buffer, lowest[buffer], to);
        lowest[buffer] = to;
        runs.forget(part.first(buffer), part.first(buffer) + 1);
    }

    private void record(int what, int end, long value, int reasonFrom, int reasonTo) {
        if (changes == changed.length) {
            changed = Arrays.copyOf(changed, 2 * changes);
            changedEnd = Arrays.copyOf(changedEnd, 2 * changes);
            before = Arrays.copyOf(before, 2 * changes);
            reasonFroms = Arrays.copyOf(reasonFroms, 2 * changes);
            reasonTos = Arrays.copyOf(reasonTos, 2 * changes);
        }
        changed[changes] = what;
        changedEnd[changes] = end;
        reasonFroms[changes] = reasonFrom;
        reasonTos[changes] = reasonTo;
        before[changes++] = value;
    }

    /** How many changes there were: all later ones can be undone. */
    int changes() {
        return changes;
    }

    /**
     * Makes a conflict rest on the moments as they were before the latest changes, down to so many: on what those rest on that it rests
     * on.
     */
    void widen(Conflict conflict, int down) {
        for (int i = changes - 1; i >= down; i--) {
            boolean isLift = changedEnd[i] == LIFTED;
            int first = isLift ? part.first(changed[i]) : changed[i];
            int end = isLift ? part.last(changed[i]) + 1 : changedEnd[i];
            if (conflict.touches(first, end)) {
                conflict.include(reasonFroms[i], reasonTos[i]);
            }
        }
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
                setLowest(what, before[changes]);
            } else {
                fillFloor(what, end, before[changes]);
            }
        }
    }

    private void takeAway(int buffer) {
        placed[buffer] = false;
        beginning.putBack(buffer);
        ending.putBack(buffer);
        fill -= bulk[buffer];
        prints.toggle(buffer, lowest[buffer]);
        for (int m = part.first(buffer); m <= part.last(buffer); m++) {
            rest[m] += part.size(buffer);
        }
    }
}
