package io.devicearena.plan.internal.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Looks for an order of a window in which fewer bytes are live at once: a beam search over sets of nodes that have run.
 *
 * <p>Each round runs one more node. Of all ways to one set only the one with the lowest peak is kept, and of all sets
 * of one size the best few: by peak, then by live bytes. The result is optimal while there are no more sets than these.
 *
 * <p><b>Source:</b> Ahn et al., "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge
 * Devices", MLSys 2020, for one best way to each set of executed nodes; the beam is our own.
 */
final class ScheduleBeamSearch {
    private final ScheduleWindow window;
    private final long[] hashes; // of each node; that of a set is their exclusive or, and two equal ones do little harm

    /** A set of nodes that have run, as the node that ran last and the set before. */
    private static final class State {
        final State before;
        final int node;
        final long hash;
        final long live;
        final long peak;
        BitSet done = new BitSet();
        List<Integer> ready = List.of();
        int[] usesLeft = {};

        /** The empty set, which is its own predecessor. */
        State(List<Integer> ready, int[] usesLeft) {
            this.before = this;
            this.node = -1;
            this.hash = 0;
            this.live = 0;
            this.peak = 0;
            this.ready = ready;
            this.usesLeft = usesLeft;
        }

        State(State before, int node, long hash, long live, long peak) {
            this.before = before;
            this.node = node;
            this.hash = hash;
            this.live = live;
            this.peak = peak;
        }

        void clear() {
            done = new BitSet();
            ready = List.of();
            usesLeft = new int[0];
        }
    }

    ScheduleBeamSearch(ScheduleWindow window) {
        this.window = window;
        this.hashes = new SplittableRandom(1).longs(window.length()).toArray();
    }

    /** The nodes in an order with a lower peak, or in the given one if none was found; keeps width sets of one size. */
    int[] search(int width) {
        State given = start();
        for (int node = 0; node < window.length(); node++) {
            given = run(given, node);
            complete(given);
            given.before.clear();
        }
        List<State> level = List.of(start());
        for (int size = 0; size < window.length(); size++) {
            level = next(level, width, given.peak);
        }
        State last = level.isEmpty() ? given : level.getFirst();
        int[] order = new int[window.length()];
        for (int k = order.length - 1; k >= 0; k--) {
            order[k] = last.node;
            last = last.before;
        }
        return order;
    }

    private State start() {
        IntStream ready = IntStream.range(0, window.length()).filter(node -> window.before[node].length == 0);
        return new State(ready.boxed().toList(), window.useCounts.clone());
    }

    /** The best sets with one node more, the best first; only those whose peak is below a limit. */
    private List<State> next(List<State> level, int width, long limit) {
        LinkedHashMap<Long, State> found = new LinkedHashMap<>();
        for (State state : level) {
            for (int node : state.ready) {
                State next = run(state, node);
                State same = found.get(next.hash);
                if (next.peak < limit && (same == null || next.peak < same.peak)) {
                    found.putLast(next.hash, next);
                }
            }
        }
        List<State> kept = found.values().stream()
                .sorted(Comparator.<State>comparingLong(state -> state.peak).thenComparingLong(state -> state.live))
                .limit(width)
                .toList();
        kept.forEach(this::complete);
        level.forEach(State::clear);
        return kept;
    }

    /** Runs a node after a set; leaves the uses as they were. */
    private State run(State state, int node) {
        int[] usesLeft = state.usesLeft;
        int ended = window.run(node, usesLeft);
        long bytes = window.bytes[node];
        long live = state.live + bytes;
        boolean reusesSlot = Arrays.stream(window.reusable[node]).anyMatch(value -> usesLeft[value] == 0);
        long peak = Math.max(state.peak, reusesSlot ? live - bytes : live);
        ScheduleWindow.addTo(usesLeft, window.uses[node]);
        for (int k = 0; k < ended; k++) {
            live -= window.freed[window.ended[k]];
            ScheduleWindow.addTo(usesLeft, window.passedOn[window.ended[k]]);
        }
        return new State(state, node, state.hash ^ hashes[node], live, peak);
    }

    /** Fills in the set of a state that is kept. */
    private void complete(State state) {
        state.usesLeft = state.before.usesLeft.clone();
        window.run(state.node, state.usesLeft);
        state.done = (BitSet) state.before.done.clone();
        state.done.set(state.node);
        state.ready = new ArrayList<>(state.before.ready);
        state.ready.removeIf(node -> node == state.node);
        Arrays.stream(window.after[state.node])
                .filter(node -> Arrays.stream(window.before[node]).allMatch(state.done::get))
                .forEach(state.ready::add);
    }
}
