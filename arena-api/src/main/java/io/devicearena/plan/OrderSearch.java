package io.devicearena.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for an order of a stretch of nodes in which less lives at once, all before the stretch having run and nothing
 * after it.
 *
 * <p>States are sets of nodes that have run; one step runs one more. Of the ways to one set only the one with the lowest
 * peak is kept, and of all sets of one size the best few: by peak, then by what is live. While no more than those few
 * exist the result is the best there is.
 */
final class OrderSearch {
    private final OrderGraph graph;
    private final int[] places; // where each node is in the order so far

    /** A set of nodes that have run, as the way to it: the last of them and the set before. */
    private static final class State {
        final State before;
        final int node;
        final long hash;
        final long live;
        final long peak;
        long[] done = {};
        int[] ready = {};

        /** The empty set, which is its own beginning. */
        State(int length, int[] ready) {
            this.before = this;
            this.node = -1;
            this.hash = 0;
            this.live = 0;
            this.peak = 0;
            this.done = new long[(length + 63) >> 6];
            this.ready = ready;
        }

        State(State before, int node, long hash, long live, long peak) {
            this.before = before;
            this.node = node;
            this.hash = hash;
            this.live = live;
            this.peak = peak;
        }
    }

    OrderSearch(OrderGraph graph, int[] places) {
        this.graph = graph;
        this.places = places;
    }

    /**
     * Reorders order[from, to) if that lowers its peak.
     *
     * @param width how many sets of one size are kept, 1 or more
     */
    void improve(int[] order, int from, int to, int width) {
        int length = to - from;
        State start = new State(length, ready(order, from, to));
        State given = start;
        for (int at = from; at < to; at++) {
            given = run(given, order[at], from, to);
            given.done = with(given.before.done, at - from);
        }
        List<State> level = List.of(start);
        for (int size = 0; size < length; size++) {
            level = next(level, from, to, width, given.peak);
            if (level.isEmpty()) {
                return; // nothing stays below the peak of the given order
            }
        }
        State end = level.getFirst();
        int[] better = new int[length];
        for (int k = length - 1; k >= 0; k--) {
            better[k] = end.node;
            end = end.before;
        }
        System.arraycopy(better, 0, order, from, length);
        for (int at = from; at < to; at++) {
            places[order[at]] = at;
        }
    }

    private int[] ready(int[] order, int from, int to) {
        int[] ready = new int[to - from];
        int count = 0;
        for (int at = from; at < to; at++) {
            NodeLists before = graph.before();
            boolean waits = false;
            for (int k = 0; k < before.count(order[at]) && !waits; k++) {
                waits = places[before.get(order[at], k)] >= from;
            }
            if (!waits) {
                ready[count++] = order[at];
            }
        }
        return Arrays.copyOf(ready, count);
    }

    /** The best sets with one node more, the best first; only those whose peak is below a limit. */
    private List<State> next(List<State> level, int from, int to, int width, long limit) {
        Map<Long, State> found = new HashMap<>();
        List<State> all = new ArrayList<>();
        for (State state : level) {
            for (int node : state.ready) {
                State next = run(state, node, from, to);
                State same = found.get(next.hash);
                if (next.peak < limit && (same == null || next.peak < same.peak)) {
                    found.put(next.hash, next);
                    all.add(next);
                }
            }
        }
        all.removeIf(state -> found.get(state.hash) != state);
        all.sort(Comparator.<State>comparingLong(state -> state.peak).thenComparingLong(state -> state.live));
        List<State> kept = all.size() <= width ? all : new ArrayList<>(all.subList(0, width));
        for (State state : kept) {
            state.done = with(state.before.done, places[state.node] - from);
            state.ready = readyAfter(state, from, to);
        }
        return kept;
    }

    private State run(State state, int node, int from, int to) {
        long saved = 0;
        NodeLists taken = graph.taken();
        for (int k = 0; k < taken.count(node) && saved == 0; k++) {
            if (isLastUse(taken.get(node, k), node, state.done, from, to)) {
                saved = graph.bytes(node);
            }
        }
        long live = state.live + graph.bytes(node);
        long peak = Math.max(state.peak, live - saved);
        NodeLists reads = graph.reads();
        for (int k = 0; k < reads.count(node); k++) {
            int value = reads.get(node, k);
            if (graph.isFreed(value) && isLastUse(value, node, state.done, from, to)) {
                live -= graph.bytes(value);
            }
        }
        return new State(state, node, state.hash ^ key(node), live, peak);
    }

    private boolean isLastUse(int value, int node, long[] done, int from, int to) {
        NodeLists users = graph.users();
        for (int k = users.count(value) - 1; k >= 0; k--) {
            int user = users.get(value, k);
            int place = places[user];
            if (user != node && place >= from && (place >= to || !isSet(done, place - from))) {
                return false;
            }
        }
        return true;
    }

    private int[] readyAfter(State state, int from, int to) {
        NodeLists after = graph.after();
        int[] ready = new int[state.before.ready.length + after.count(state.node)];
        int count = 0;
        for (int node : state.before.ready) {
            if (node != state.node) {
                ready[count++] = node;
            }
        }
        for (int k = 0; k < after.count(state.node); k++) {
            int node = after.get(state.node, k);
            if (places[node] < to && hasAllBefore(node, state.done, from)) {
                ready[count++] = node;
            }
        }
        return Arrays.copyOf(ready, count);
    }

    private boolean hasAllBefore(int node, long[] done, int from) {
        NodeLists before = graph.before();
        for (int k = 0; k < before.count(node); k++) {
            int place = places[before.get(node, k)];
            if (place >= from && !isSet(done, place - from)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSet(long[] bits, int place) {
        return (bits[place >> 6] >>> place & 1) != 0;
    }

    private static long[] with(long[] bits, int place) {
        long[] more = bits.clone();
        more[place >> 6] |= 1L << place;
        return more;
    }

    /** A number for each node whose exclusive or tells sets apart, all but surely; a mistake costs a better order only. */
    private static long key(int node) {
        long mixed = (node + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
