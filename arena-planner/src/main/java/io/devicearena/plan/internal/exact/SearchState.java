package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * A partial placement: its skyline, the buffers still to be placed, and the trail by which every change can be undone.
 *
 * <p>The skyline has a floor for each clique. Nothing more is placed below the floor. Threads: one thread at a time.
 */
final class SearchState {
    /** Marks a placed buffer on the trail, where a raised floor has its end. */
    private static final int PLACED = -1;
    /**
     * The largest buffer counts so much for each of its cliques in {@link #fill}; only the resolution depends on it.
     */
    private static final long FILL_RESOLUTION = 1 << 20;

    private static final int FIRST_TRAIL = 64;

    private final LiveRanges component;
    private final int[][] beginning;
    private final int[][] ending;
    private final long[] floor;
    private final long[] rest;
    private final long[] keys;
    private final long[] unplacedKeys;
    private final SegmentCache segments;
    private final boolean[] placed;
    private final long[] addresses;
    private final long[] weights;
    private long fill;

    /** The trail: the first clique of a raised floor, its end and its value before; or a buffer and {@link #PLACED}. */
    private int[] trail = new int[FIRST_TRAIL];

    private int[] trailEnds = new int[FIRST_TRAIL];
    private long[] trailFloors = new long[FIRST_TRAIL];
    private int changes;

    SearchState(LiveRanges component) {
        this.component = component;
        int count = component.count();
        int cliques = component.cliques();
        this.weights = new long[count];
        this.keys = new long[count];
        long largest = 1;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, component.size(i));
        }
        for (int i = 0; i < count; i++) {
            long share = 1 + (long) (FILL_RESOLUTION * ((double) component.size(i) / largest));
            weights[i] = share * component.length(i);
            keys[i] = TranspositionTable.key(component.first(i), component.end(i), component.bytes(i));
        }
        this.beginning = byClique(count, cliques, component::first);
        this.ending = byClique(count, cliques, i -> component.end(i) - 1);
        this.floor = new long[cliques];
        this.rest = new long[cliques];
        this.unplacedKeys = new long[cliques];
        this.segments = new SegmentCache(cliques);
        this.placed = new boolean[count];
        this.addresses = new long[count];
    }

    private static int[][] byClique(int count, int cliques, IntUnaryOperator clique) {
        int[][] lists = new int[cliques][0];
        int[] sizes = new int[cliques];
        for (int i = 0; i < count; i++) {
            int c = clique.applyAsInt(i);
            if (sizes[c] == lists[c].length) {
                lists[c] = Arrays.copyOf(lists[c], 1 + 2 * sizes[c]);
            }
            lists[c][sizes[c]++] = i;
        }
        Arrays.setAll(lists, c -> Arrays.copyOf(lists[c], sizes[c]));
        return lists;
    }

    /** Removes all buffers. */
    void clear() {
        changes = 0;
        fill = 0;
        segments.clear();
        Arrays.fill(floor, 0);
        Arrays.fill(rest, 0);
        Arrays.fill(placed, false);
        Arrays.fill(unplacedKeys, 0);
        for (int i = 0; i < placed.length; i++) {
            addRest(i);
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

    /** The buffers that begin at a clique, placed or not; not a copy. */
    int[] beginning(int clique) {
        return beginning[clique];
    }

    /** The buffers that end after a clique, placed or not; not a copy. */
    int[] ending(int clique) {
        return ending[clique];
    }

    /** The segments that are unchanged. */
    SegmentCache segments() {
        return segments;
    }

    /** The sum of the keys of the buffers still to be placed at a clique: equal buffers have equal keys. */
    long unplacedKeys(int clique) {
        return unplacedKeys[clique];
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

    /**
     * Places a buffer on the floor, which is flat where the buffer is live; returns whether a clique is now complete.
     */
    boolean place(int buffer) {
        int first = component.first(buffer);
        int end = component.end(buffer);
        long size = component.size(buffer);
        addresses[buffer] = floor[first];
        raise(first, end, floor[first] + size);
        record(buffer, PLACED, 0);
        placed[buffer] = true;
        fill += weights[buffer];
        boolean complete = false;
        for (int c = first; c < end; c++) {
            rest[c] -= size;
            unplacedKeys[c] -= keys[buffer];
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
        fill -= weights[buffer];
        addRest(buffer);
    }

    private void addRest(int buffer) {
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            rest[c] += component.size(buffer);
            unplacedKeys[c] += keys[buffer];
        }
    }
}
