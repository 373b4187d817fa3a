package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A partial placement within a capacity: its skyline, which is a floor for each clique below which nothing more is
 * placed; the buffers still to be placed; and the trail by which every change can be undone.
 */
final class SearchState {
    /** The address of a buffer that is still to be placed. */
    static final long UNPLACED = -1;

    private static final int NO_BUFFER = -1;

    private final LiveRanges component;
    private final int[][] beginning;
    private final int[][] ending;
    private final long[] floor;
    private final long[] rest;
    private final long[] keys;
    private final long[] unplacedKeys;
    private final long[] addresses;
    private final long[] highest;
    /** For each clique the number of the latest change of its floor, undone changes included. */
    private final long[] versions;

    private final List<Change> trail = new ArrayList<>();
    private long version;
    private long capacityBytes;
    private long capacity;

    private record Change(int buffer, int first, int end, long floorBefore) {}

    SearchState(LiveRanges component) {
        this.component = component;
        this.beginning = byClique(component, component::first);
        this.ending = byClique(component, i -> component.end(i) - 1);
        this.floor = new long[component.cliques()];
        this.rest = new long[component.cliques()];
        this.versions = new long[component.cliques()];
        this.unplacedKeys = new long[component.cliques()];
        this.keys = new long[component.count()];
        this.addresses = new long[component.count()];
        this.highest = new long[component.count()];
        for (int i = 0; i < component.count(); i++) {
            keys[i] = TranspositionTable.key(component.first(i), component.end(i), component.bytes(i));
            addresses[i] = UNPLACED;
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

    /** Removes all buffers and sets the capacity in bytes above the origin. */
    void begin(long bytes) {
        undo(0);
        Arrays.fill(versions, ++version);
        capacityBytes = bytes;
        capacity = (bytes - 1) / component.alignment() + 1;
        Arrays.setAll(highest, i -> component.highestOffset(i, bytes));
    }

    long capacityBytes() {
        return capacityBytes;
    }

    /** The capacity in units; the last unit may be a partial one. */
    long capacity() {
        return capacity;
    }

    /** Whether a buffer may begin at an address: it ends within the capacity and crosses no boundary. */
    boolean allows(int buffer, long address) {
        return address <= highest[buffer] && component.skipBoundary(address, component.size(buffer)) == address;
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

    /** The buffers with their first or last clique there, placed or not; not a copy. */
    int[] touching(int clique, boolean atBegin) {
        return atBegin ? beginning[clique] : ending[clique];
    }

    /** The sum of the keys of the buffers still to be placed at a clique. */
    long unplacedKeys(int clique) {
        return unplacedKeys[clique];
    }

    boolean isPlaced(int buffer) {
        return addresses[buffer] != UNPLACED;
    }

    /** The addresses of all buffers; not a copy. */
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
        addToRest(buffer, -1);
        change(buffer, first, component.end(buffer), floor[first] + component.size(buffer));
    }

    void raise(int clique, long to) {
        change(NO_BUFFER, clique, clique + 1, to);
    }

    private void change(int buffer, int first, int end, long to) {
        trail.add(new Change(buffer, first, end, floor[first]));
        setFloor(first, end, to);
    }

    private void setFloor(int first, int end, long to) {
        Arrays.fill(floor, first, end, to);
        Arrays.fill(versions, first, end, ++version);
    }

    int changes() {
        return trail.size();
    }

    /** Undoes the latest changes, down to a length of the trail. */
    void undo(int down) {
        while (trail.size() > down) {
            Change change = trail.removeLast();
            setFloor(change.first, change.end, change.floorBefore);
            if (change.buffer != NO_BUFFER) {
                addresses[change.buffer] = UNPLACED;
                addToRest(change.buffer, 1);
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
