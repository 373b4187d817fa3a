package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.Arrays;

/**
 * A partial placement: its skyline, the buffers still to be placed, and the trail by which every change can be undone.
 *
 * <p>The skyline has a floor for each clique. Nothing more is placed below the floor. Threads: one thread at a time.
 */
final class SearchState {
    /** Marks a placed buffer on the trail, where a raised floor has its end. */
    private static final int PLACED = -1;
    /** The largest buffer counts so much for each of its cliques in {@link #fill}; only the resolution depends on it. */
    private static final long FILL_RESOLUTION = 1 << 20;

    private static final int FIRST_TRAIL = 64;

    private final Lifetimes component;
    private final UnplacedLists beginning;
    private final UnplacedLists ending;
    private final long[] floor;
    private final long[] rest;
    private final SegmentCache segments;
    private final ZobristHash hash;
    private final boolean[] placed;
    private final long[] addresses;
    private final long[] weights;
    private long fill;

    /** The trail: the first clique of a raised floor, its end and its value before; or a buffer and {@link #PLACED}. */
    private int[] trail = new int[FIRST_TRAIL];

    private int[] trailEnds = new int[FIRST_TRAIL];
    private long[] trailFloors = new long[FIRST_TRAIL];
    private int changes;

    SearchState(Lifetimes component) {
        this.component = component;
        int count = component.count();
        int cliques = component.moments();
        int[] firsts = new int[count];
        int[] lasts = new int[count];
        this.weights = new long[count];
        long largest = 1;
        for (int i = 0; i < count; i++) {
            firsts[i] = component.first(i);
            lasts[i] = component.last(i);
            largest = Math.max(largest, component.size(i));
        }
        for (int i = 0; i < count; i++) {
            long share = 1 + (long) (FILL_RESOLUTION * ((double) component.size(i) / largest));
            weights[i] = share * component.length(i);
        }
        this.beginning = new UnplacedLists(firsts, cliques);
        this.ending = new UnplacedLists(lasts, cliques);
        this.floor = new long[cliques];
        this.rest = new long[cliques];
        this.segments = new SegmentCache(cliques);
        this.hash = new ZobristHash(component);
        this.placed = new boolean[count];
        this.addresses = new long[count];
    }

    /** Removes all buffers. */
    void clear() {
        changes = 0;
        fill = 0;
        segments.clear();
        hash.clear();
        beginning.fill();
        ending.fill();
        Arrays.fill(floor, 0);
        Arrays.fill(rest, 0);
        Arrays.fill(placed, false);
        for (int i = 0; i < placed.length; i++) {
            hash.toggle(i);
            for (int c = component.first(i); c < component.end(i); c++) {
                rest[c] += component.size(i);
            }
        }
    }

    /** How many cliques there are. */
    int cliques() {
        return floor.length;
    }

    long floor(int clique) {
        return floor[clique];
    }

    /** The units still to be placed at a clique. */
    long rest(int clique) {
        return rest[clique];
    }

    /** The unplaced buffers by their first clique. */
    UnplacedLists beginning() {
        return beginning;
    }

    /** The unplaced buffers by their last clique. */
    UnplacedLists ending() {
        return ending;
    }

    /** The segments that are unchanged. */
    SegmentCache segments() {
        return segments;
    }

    /** The hash of a range, as the range is now. */
    ZobristHash hash(int from, int to) {
        hash.compute(from, to, floor);
        return hash;
    }

    boolean isPlaced(int buffer) {
        return placed[buffer];
    }

    /** A measure of what is placed: long and large buffers count more. */
    long fill() {
        return fill;
    }

    /** The addresses of the placed buffers; those of others are undefined. Not a copy. */
    long[] addresses() {
        return addresses;
    }

    /** Places a buffer on the floor, which is flat where the buffer is live; returns whether a clique is now complete. */
    boolean place(int buffer) {
        int first = component.first(buffer);
        int end = component.end(buffer);
        long size = component.size(buffer);
        addresses[buffer] = floor[first];
        raise(first, end, floor[first] + size);
        record(buffer, PLACED, 0);
        placed[buffer] = true;
        beginning.remove(buffer);
        ending.remove(buffer);
        fill += weights[buffer];
        hash.toggle(buffer);
        boolean complete = false;
        for (int c = first; c < end; c++) {
            rest[c] -= size;
            complete |= rest[c] == 0;
        }
        return complete;
    }

    /** Raises the floor of a range of cliques that have the same one. */
    void raise(int first, int end, long to) {
        record(first, end, floor[first]);
        setFloor(first, end, to);
    }

    private void setFloor(int first, int end, long to) {
        Arrays.fill(floor, first, end, to);
        segments.forget(first, end);
    }

    private void record(int what, int end, long before) {
        if (changes == trail.length) {
            trail = Arrays.copyOf(trail, 2 * changes);
            trailEnds = Arrays.copyOf(trailEnds, 2 * changes);
            trailFloors = Arrays.copyOf(trailFloors, 2 * changes);
        }
        trail[changes] = what;
        trailEnds[changes] = end;
        trailFloors[changes++] = before;
    }

    /** The length of the trail. */
    int changes() {
        return changes;
    }

    /** Undoes the latest changes, down to a length of the trail. */
    void undo(int down) {
        while (changes > down) {
            changes--;
            int what = trail[changes];
            if (trailEnds[changes] == PLACED) {
                remove(what);
            } else {
                setFloor(what, trailEnds[changes], trailFloors[changes]);
            }
        }
    }

    private void remove(int buffer) {
        placed[buffer] = false;
        beginning.restore(buffer);
        ending.restore(buffer);
        fill -= weights[buffer];
        hash.toggle(buffer);
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            rest[c] += component.size(buffer);
        }
    }
}
