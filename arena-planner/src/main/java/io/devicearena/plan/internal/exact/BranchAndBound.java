package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.function.LongPredicate;

/**
 * Decides by depth-first branch and bound whether a component fits in a capacity.
 *
 * <p>A partial placement is a <i>skyline</i>: for each clique a floor below which nothing more is placed. A <i>gap</i>
 * is a segment of the skyline between higher walls. In a placement that gravity has pulled down, either a buffer that
 * is live within the gap only covers the edge of a gap at its floor, or the floor of that edge rises to the lowest
 * address where a buffer could rest: the wall, or the top of a buffer elsewhere in the gap. These choices exclude each
 * other and are complete, so the search branches on one edge at a time. It backtracks when the units wasted below a
 * floor and those still to be placed exceed the capacity at any clique.
 *
 * <p>A range of cliques that no unplaced buffer reaches across is solved by itself. A range that failed is remembered
 * by its hash and is not tried again, whatever was placed elsewhere or in another order.
 *
 * <p><b>Threads:</b> one thread at a time. Recursion goes as deep as there are buffers.
 *
 * <p><b>Source:</b> Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning",
 * ASPLOS 2023: canonical placements, pruning by the load of each clique, decomposition in time. Branching on both edges
 * of a gap is our own.
 */
public final class BranchAndBound implements FeasibilitySolver {
    private final SolutionGuidance guidance;
    private final SearchState state;
    private final CapacityLimit capacity;
    private final BranchingHeuristic branching;
    private final CandidateOrder candidates;
    private final TranspositionTable deadEnds = new TranspositionTable(SearchParameters.TABLE_BITS);
    private long deadEndCapacity = Long.MAX_VALUE;
    private long nodes;
    private long nodeLimit;
    private LongPredicate stopped = n -> false;
    private boolean isStopped;

    /** Makes a solver for a component. */
    public BranchAndBound(LiveRanges component) {
        this.guidance = new SolutionGuidance(component.count());
        this.state = new SearchState(component);
        this.capacity = new CapacityLimit(component);
        this.branching = new BranchingHeuristic(component, state, capacity);
        this.candidates = new CandidateOrder(component, state, capacity, guidance);
    }

    @Override
    public Verdict run(SearchParameters parameters, LongPredicate stop) {
        if (parameters.capacity() > deadEndCapacity) {
            // A dead end in a smaller capacity need not be one in a larger one.
            deadEnds.clear();
        }
        deadEndCapacity = parameters.capacity();
        nodeLimit = parameters.nodeLimit();
        stopped = stop;
        nodes = 0;
        isStopped = false;
        state.clear();
        if (!capacity.set(parameters.capacity())) {
            return Verdict.INFEASIBLE;
        }
        guidance.begin(parameters);
        branching.begin(parameters);
        candidates.begin(parameters);
        if (solveRanges(0, state.cliques())) {
            return Verdict.FEASIBLE;
        }
        return isStopped ? Verdict.UNKNOWN : Verdict.INFEASIBLE;
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public long[] addresses() {
        return state.addresses();
    }

    /** Solves one after the other the ranges into which complete cliques divide a range. */
    private boolean solveRanges(int from, int to) {
        int changes = state.changes();
        int begin = from;
        while (begin < to) {
            if (state.rest(begin) == 0) {
                begin++;
                continue;
            }
            int end = begin + 1;
            while (end < to && state.rest(end) > 0) {
                end++;
            }
            if (!solve(begin, end)) {
                state.undo(changes);
                return false;
            }
            begin = end;
        }
        return true;
    }

    /** Solves a range without a complete clique; where it fails, the state is as before. */
    private boolean solve(int from, int to) {
        nodes++;
        if (nodes > nodeLimit || (nodes % SearchParameters.NODES_PER_STOP_CHECK == 0 && stopped.test(nodes))) {
            isStopped = true;
            guidance.note(state);
            return false;
        }
        int changes = state.changes();
        if (!branching.settle(from, to)) {
            guidance.note(state);
        } else if (branching.isForced() ? branch(from, to) : branchUnlessDeadEnd(from, to)) {
            return true; // a forced choice needs no lookup: the next state gets one
        }
        state.undo(changes);
        return false;
    }

    private boolean branchUnlessDeadEnd(int from, int to) {
        deadEnds.hash(state, from, to);
        long low = deadEnds.low();
        long high = deadEnds.high();
        if (deadEnds.contains(low, high)) {
            return false;
        }
        if (branch(from, to)) {
            return true;
        }
        if (!isStopped) {
            deadEnds.add(low, high);
        }
        return false;
    }

    /**
     * Tries the choices at the chosen edge: each candidate in turn; then the floor rises, and an edge is chosen again.
     */
    private boolean branch(int from, int to) {
        do {
            int left = branching.from();
            int right = branching.to();
            boolean atLeft = branching.isAtLeft();
            long rise = branching.rise();
            for (int buffer : candidates.at(left, right, atLeft)) {
                int changes = state.changes();
                if (state.place(buffer) ? solveRanges(from, to) : solve(from, to)) {
                    return true;
                }
                state.undo(changes);
                if (isStopped) {
                    return false;
                }
            }
            int edge = atLeft ? left : right - 1;
            if (!branching.canRise(edge, rise)) {
                return false;
            }
            state.raise(edge, edge + 1, rise);
        } while (branching.settle(from, to));
        return false;
    }
}
