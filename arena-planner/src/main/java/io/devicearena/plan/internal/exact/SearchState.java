package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A partial placement within a capacity: its skyline, the buffers still to be placed, and the trail by which every
 * change can be undone.
 *
 * <p>The skyline has a floor for each clique. Nothing more is placed below the floor.
 */
final class SearchState {
    /** What the buffers of a clique at the maximum load add to {@link #fill} there, but for rounding. */
    private static final double FILL_AT_MAX_LOAD = 1 << 30;

    private final LiveRanges component;
    private final int[][] beginning;
    private final int[][] ending;
    private final long[] floor;
    private final long[] rest;
    private final long[] keys;
    private final long[] unplacedKeys;
    private final boolean[] placed;
    private final long[] addresses;
    private final long[] highest;
    private final long[] weights;
    private long capacity;
    private long fill;

    /** For each clique the number of the latest change of its floor, undone changes included. */
    private final long[] versions;

    private long version;

    /** The trail: a placed buffer, or the complement of a clique; and the floor before the change. */
    private int[] trail = new int[64];

    private long[] trailFloors = new long[64];
    private int changes;

    SearchState(LiveRanges component) {
        this.component = component;
        int count = component.count();
        int cliques = component.cliques();
        this.beginning = byClique(component, component::first);
        this.ending = byClique(component, i -> component.end(i) - 1);
        this.floor = new long[cliques];
        this.rest = new long[cliques];
        this.versions = new long[cliques];
        this.unplacedKeys = new long[cliques];
        this.keys = new long[count];
        this.weights = new long[count];
        this.placed = new boolean[count];
        this.addresses = new long[count];
        this.highest = new long[count];
        for (int i = 0; i < count; i++) {
            long share = 1 + (long) (FILL_AT_MAX_LOAD * component.size(i) / component.maxLoad());
            weights[i] = share * component.length(i);
            keys[i] = TranspositionTable.key(component.first(i), component.end(i), component.bytes(i));
            addToRest(i, 1);
        }
    }

    private static int[][] byClique(LiveRanges component, IntUnaryOperator clique) {
        IntStream.Builder[] lists = new IntStream.Builder[component.cliques()];
        Arrays.setAll(lists, c -> IntStream.builder());
        for (int i = 0; i < component.count(); i++) {
            lists[clique.applyAsInt(i)].add(i);
        }
        return Arrays.stream(lists).map(list -> list.build().toArray()).toArray(int[][]::new);
    }

    /** Removes all buffers and sets the capacity in bytes above the origin; false if a single buffer exceeds it. */
    boolean begin(long bytes) {
        undo(0);
        Arrays.fill(versions, ++version);
        capacity = (bytes - 1) / component.alignment() + 1;
        Arrays.setAll(highest, i -> component.highestOffset(i, bytes));
        return Arrays.stream(highest).allMatch(address -> address >= 0);
    }

    /** The capacity in units; the last unit may be a partial one. */
    long capacity() {
        return capacity;
    }

    /** Whether a buffer may begin at an address: it ends within the capacity and crosses no boundary. */
    boolean allows(int buffer, long address) {
        return address <= highest[buffer] && component.skipBoundary(address, component.size(buffer)) == address;
    }

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

    /** What the capacity leaves for waste at a clique above an address; negative at a dead end. */
    long slack(int clique, long address) {
        return capacity - rest[clique] - address;
    }

    /** The buffers that begin at a clique, placed or not; not a copy. */
    int[] beginning(int clique) {
        return beginning[clique];
    }

    /** The buffers that end after a clique, placed or not; not a copy. */
    int[] ending(int clique) {
        return ending[clique];
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

    /** The number of changes so far, undone ones included. */
    long version() {
        return version;
    }

    /** Whether no floor of a range has changed since a version. */
    boolean isUnchanged(int from, int to, long since) {
        for (int c = from; c < to; c++) {
            if (versions[c] > since) {
                return false;
            }
        }
        return true;
    }

    /** Places a buffer on the floor, which is flat where the buffer is live. */
    void place(int buffer) {
        int first = component.first(buffer);
        addresses[buffer] = floor[first];
        record(buffer, floor[first]);
        setFloor(first, component.end(buffer), floor[first] + component.size(buffer));
        placed[buffer] = true;
        fill += weights[buffer];
        addToRest(buffer, -1);
    }

    void raise(int clique, long to) {
        record(~clique, floor[clique]);
        setFloor(clique, clique + 1, to);
    }

    private void setFloor(int first, int end, long to) {
        Arrays.fill(floor, first, end, to);
        Arrays.fill(versions, first, end, ++version);
    }

    private void record(int what, long floorBefore) {
        if (changes == trail.length) {
            trail = Arrays.copyOf(trail, 2 * changes);
            trailFloors = Arrays.copyOf(trailFloors, 2 * changes);
        }
        trail[changes] = what;
        trailFloors[changes++] = floorBefore;
    }

    /** The length of the trail. */
    int changes() {
        return changes;
    }

    /** Undoes the latest changes, down to a length of the trail. */
    void undo(int down) {
        while (changes > down) {
            int what = trail[--changes];
            if (what < 0) {
                setFloor(~what, ~what + 1, trailFloors[changes]);
            } else {
                setFloor(component.first(what), component.end(what), trailFloors[changes]);
                placed[what] = false;
                fill -= weights[what];
                addToRest(what, 1);
            }
        }
    }

    private void addToRest(int buffer, int times) {
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            rest[c] += times * component.size(buffer);
            unplacedKeys[c] += times * keys[buffer];
        }
    }
}
