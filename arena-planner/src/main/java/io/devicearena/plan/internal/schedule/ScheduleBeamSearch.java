package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.CsrAdjacency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for an order of a stretch of nodes in which less lives at once.
 *
 * <p>States are sets of nodes that have run; one step runs one more. Of the ways to one set only the one with the lowest
 * peak is kept, and of all sets of one size the best few: by peak, then by what is live. While no more than those few
 * exist the result is the best there is.
 */
final class ScheduleBeamSearch {
    private final ScheduleSegment stretch;
    private final int[] ended; // the values that the node that was run last is the last to use
    private int endedCount;

    /** A set of nodes that have run, as the way to it: the last of them and the set before. */
    private static final class State {
        private static final int[] NONE = {};

        final State before;
        final int node;
        final long hash;
        final long live;
        final long peak;
        long[] done = {};
        int[] ready = NONE;
        int[] usesLeft = NONE;

        /** The empty set, which is its own beginning. */
        State(int length, int[] ready, int[] usesLeft) {
            this.before = this;
            this.node = -1;
            this.hash = 0;
            this.live = 0;
            this.peak = 0;
            this.done = new long[(length + 63) >> 6];
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

        /** Leaves the way only, once all sets with one node more are known. */
        void forgetSet() {
            done = new long[0];
            ready = NONE;
            usesLeft = NONE;
        }
    }

    ScheduleBeamSearch(ScheduleSegment stretch) {
        this.stretch = stretch;
        this.ended = new int[stretch.values()];
    }

    /**
     * An order of the stretch with a lower peak than that in which it stands, or empty if none was found.
     *
     * @param width how many sets of one size are kept, 1 or more
     */
    Optional<int[]> better(int width) {
        long given = givenPeak();
        List<State> level = List.of(new State(stretch.length(), ready(), useCounts()));
        for (int size = 0; size < stretch.length(); size++) {
            List<State> next = next(level, width, given);
            level.forEach(State::forgetSet);
            level = next;
            if (level.isEmpty()) {
                return Optional.empty(); // nothing stays below the peak of the given order
            }
        }
        State end = level.getFirst();
        int[] better = new int[stretch.length()];
        for (int k = better.length - 1; k >= 0; k--) {
            better[k] = end.node;
            end = end.before;
        }
        return Optional.of(better);
    }

    private long givenPeak() {
        State given = new State(stretch.length(), ready(), useCounts());
        int[] usesLeft = given.usesLeft;
        for (int node = 0; node < stretch.length(); node++) {
            given.usesLeft = usesLeft;
            given = run(given, node);
            use(node, usesLeft);
        }
        return given.peak;
    }

    private int[] useCounts() {
        int[] counts = new int[stretch.values()];
        Arrays.setAll(counts, stretch::useCount);
        return counts;
    }

    private int[] ready() {
        int[] ready = new int[stretch.length()];
        int count = 0;
        for (int node = 0; node < ready.length; node++) {
            if (stretch.before().count(node) == 0) {
                ready[count++] = node;
            }
        }
        return Arrays.copyOf(ready, count);
    }

    /** The best sets with one node more, the best first; only those whose peak is below a limit. */
    private List<State> next(List<State> level, int width, long limit) {
        Map<Long, State> found = new HashMap<>();
        List<State> all = new ArrayList<>();
        for (State state : level) {
            for (int node : state.ready) {
                State next = run(state, node);
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
            state.done = with(state.before.done, state.node);
            state.ready = readyAfter(state);
            state.usesLeft = state.before.usesLeft.clone();
            use(state.node, state.usesLeft);
        }
        return kept;
    }

    private State run(State state, int node) {
        int[] usesLeft = state.usesLeft;
        use(node, usesLeft);
        long bytes = stretch.bytes(node);
        long live = state.live + bytes;
        long peak = Math.max(state.peak, takesSlot(node, usesLeft) ? live - bytes : live);
        for (int k = 0; k < endedCount; k++) {
            live -= stretch.freed(ended[k]);
        }
        takeBack(node, usesLeft);
        return new State(state, node, state.hash ^ key(node), live, peak);
    }

    private boolean takesSlot(int node, int[] usesLeft) {
        CsrAdjacency taken = stretch.taken();
        for (int k = 0; k < taken.count(node); k++) {
            if (usesLeft[taken.get(node, k)] == 0) {
                return true;
            }
        }
        return false;
    }

    private void use(int node, int[] usesLeft) {
        endedCount = 0;
        use(stretch.uses(), node, usesLeft);
        for (int k = 0; k < endedCount; k++) {
            use(stretch.passedOn(), ended[k], usesLeft);
        }
    }

    private void use(CsrAdjacency uses, int i, int[] usesLeft) {
        for (int k = 0; k < uses.count(i); k++) {
            int value = uses.get(i, k);
            if (--usesLeft[value] == 0) {
                ended[endedCount++] = value;
            }
        }
    }

    /** Undoes the use by the node that was run last. */
    private void takeBack(int node, int[] usesLeft) {
        stretch.uses().addTo(usesLeft, node);
        for (int k = 0; k < endedCount; k++) {
            stretch.passedOn().addTo(usesLeft, ended[k]);
        }
    }

    private int[] readyAfter(State state) {
        CsrAdjacency after = stretch.after();
        int[] ready = new int[state.before.ready.length + after.count(state.node)];
        int count = 0;
        for (int node : state.before.ready) {
            if (node != state.node) {
                ready[count++] = node;
            }
        }
        for (int k = 0; k < after.count(state.node); k++) {
            int node = after.get(state.node, k);
            if (hasAllBefore(node, state.done)) {
                ready[count++] = node;
            }
        }
        return Arrays.copyOf(ready, count);
    }

    private boolean hasAllBefore(int node, long[] done) {
        CsrAdjacency before = stretch.before();
        for (int k = 0; k < before.count(node); k++) {
            if (!isSet(done, before.get(node, k))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSet(long[] bits, int node) {
        return (bits[node >> 6] >>> node & 1) != 0;
    }

    private static long[] with(long[] bits, int node) {
        long[] more = bits.clone();
        more[node >> 6] |= 1L << node;
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
