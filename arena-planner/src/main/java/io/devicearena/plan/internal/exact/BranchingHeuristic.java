package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;

/**
 * Propagates and chooses where to branch: raises floors on which nothing can rest, detects dead ends by the bytes that
 * they waste, and selects the edge of a gap with the fewest choices, weighted by how little may be wasted there.
 *
 * <p>Threads: one thread at a time. Source: Haralick and Elliott, "Increasing tree search efficiency for constraint
 * satisfaction problems", 1980, for the fewest choices first.
 */
final class BranchingHeuristic {
    private static final int NONE = -1;

    private final LiveRanges component;
    private final SearchState state;
    private final CapacityLimit capacity;
    /** The gap that was found last at each first clique. */
    private final SkylineGap[] gaps;
    /** For each clique the units of the current gap whose last clique is the one before it. */
    private final long[] ended;

    private double slackWeight;
    private int chosenFrom;
    private int chosenTo;
    private boolean chosenLeft;
    private long chosenRise;
    private double chosenCost;

    BranchingHeuristic(LiveRanges component, SearchState state, CapacityLimit capacity) {
        this.component = component;
        this.state = state;
        this.capacity = capacity;
        this.gaps = new SkylineGap[component.cliques()];
        Arrays.setAll(gaps, c -> new SkylineGap(component, capacity));
        this.ended = new long[component.cliques() + 1];
    }

    /** Begins a run; the capacity is set. */
    void begin(SearchParameters parameters) {
        slackWeight = parameters.slackWeight() / capacity.units();
    }

    /** The first clique of the chosen gap. */
    int from() {
        return chosenFrom;
    }

    /** The end of the chosen gap. */
    int to() {
        return chosenTo;
    }

    /** Whether the chosen edge is the first clique of the gap, not the last. */
    boolean isAtLeft() {
        return chosenLeft;
    }

    /** The floor of the chosen edge if no buffer covers it. */
    long rise() {
        return chosenRise;
    }

    /** Whether there is a single choice. */
    boolean isForced() {
        return chosenCost == 0;
    }

    /** Whether a clique can hold the rest of its buffers above an address. */
    boolean canRise(int clique, long to) {
        return to != SkylineGap.NO_WALL && capacity.units() - to >= state.rest(clique);
    }

    /** Propagates in a range until nothing changes and chooses an edge; false if the range is a dead end. */
    boolean settle(int from, int to) {
        chosenFrom = NONE;
        int left = from;
        while (left < to) {
            int right = segmentEnd(left, to);
            long before = left == from ? SkylineGap.NO_WALL : state.floor(left - 1);
            long after = right == to ? SkylineGap.NO_WALL : state.floor(right);
            if (Math.min(before, after) < state.floor(left)) {
                left = right;
                continue;
            }
            if (state.segments().end(left) != right || !gaps[left].isBetween(before, after)) {
                int changes = state.changes();
                if (!look(left, right, before, after)) {
                    return false;
                }
                if (state.changes() > changes) {
                    left = firstChanged(left, from);
                    continue;
                }
                state.segments().add(left, right);
            }
            if (!consider(left, right, true) || !consider(left, right, false)) {
                return false;
            }
            left = right;
        }
        return true;
    }

    private int segmentEnd(int left, int to) {
        int right = Math.max(left + 1, state.segments().end(left));
        while (right < to && state.floor(right) == state.floor(left)) {
            right++;
        }
        return right;
    }

    /**
     * The first clique to look at again after a floor was raised: that of a lower or equal segment that now ends
     * differently.
     */
    private int firstChanged(int raised, int from) {
        int first = raised;
        if (first > from && state.floor(first - 1) < state.floor(first)) {
            first--;
        }
        while (first > from && state.floor(first - 1) == state.floor(first)) {
            first--;
        }
        return first;
    }

    /**
     * Computes a gap and raises each clique that no buffer can cover below the lower wall; false if more is wasted than
     * may be.
     */
    private boolean look(int left, int right, long before, long after) {
        SkylineGap gap = gaps[left];
        state.segments().forget(left, left + 1);
        long floor = state.floor(left);
        gap.begin(left, right, floor, before, after);
        long wall = gap.lowerWall();
        long within = 0;
        Arrays.fill(ended, left, right + 1, 0);
        for (int c = left; c < right; c++) {
            for (int buffer : state.beginning(c)) {
                if (!state.isPlaced(buffer) && component.end(buffer) <= right) {
                    gap.count(buffer);
                    within += component.size(buffer);
                    ended[component.end(buffer)] += component.size(buffer);
                }
            }
            within -= ended[c];
            long slack = capacity.units() - state.rest(c);
            // Buffers that reach beyond the gap lie above the lower wall, and need their own units there.
            boolean isCrossed = state.rest(c) > within;
            if (floor > slack || (isCrossed && wall > slack + within)) {
                return false;
            }
            if (within == 0) {
                state.raise(c, c + 1, wall);
            }
        }
        return true;
    }

    /** Chooses an edge if it is the best so far; false if it has no choice at all. */
    private boolean consider(int left, int right, boolean atLeft) {
        int edge = atLeft ? left : right - 1;
        long rise = gaps[left].rise(atLeft);
        int choices = gaps[left].choices(atLeft) + (canRise(edge, rise) ? 1 : 0);
        if (choices == 0) {
            return false;
        }
        long slack = capacity.units() - state.floor(edge) - state.rest(edge);
        double cost = choices == 1 ? 0 : choices * (1 + slackWeight * slack);
        if (chosenFrom == NONE
                || cost < chosenCost
                || (cost == chosenCost && state.floor(left) < state.floor(chosenFrom))) {
            chosenFrom = left;
            chosenTo = right;
            chosenLeft = atLeft;
            chosenRise = rise;
            chosenCost = cost;
        }
        return true;
    }
}
