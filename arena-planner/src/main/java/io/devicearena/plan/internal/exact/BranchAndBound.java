package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.CandidateOrder.Candidate;
import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.exact.TranspositionTable.Hash;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides by depth-first branch and bound whether a component fits in a capacity.
 *
 * <p>A <i>gap</i> is a segment of the skyline between higher walls. In a placement that gravity has pulled down, either
 * a buffer that is live within the gap only covers the edge of the gap at its floor, or the floor of that edge rises to
 * the lowest address where a buffer could rest. These choices exclude each other and are complete. A range of cliques
 * that no unplaced buffer reaches across is solved by itself, and recorded if it has no placement.
 *
 * <p><b>Source:</b> Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning",
 * ASPLOS 2023: canonical placements, pruning by the load of each clique, decomposition in time. Branching on both edges
 * of a gap is our own.
 */
public final class BranchAndBound implements FeasibilitySolver {
    private final LiveRanges component;
    private final SearchState state;
    private final BranchingHeuristic branching;
    private final CandidateOrder candidates;
    private final TranspositionTable deadEnds = new TranspositionTable(SearchParameters.TABLE_BITS);
    private LongPredicate stopped = n -> false;
    private boolean isStopped;
    private long nodes;

    public BranchAndBound(LiveRanges component) {
        this.component = component;
        this.state = new SearchState(component);
        this.branching = new BranchingHeuristic(component, state);
        this.candidates = new CandidateOrder(component, state);
    }

    @Override
    public Verdict run(SearchParameters parameters, LongPredicate stop) {
        stopped = n -> n > parameters.nodeLimit() || stop.test(n);
        nodes = 0;
        isStopped = false;
        state.begin(parameters.capacity());
        branching.begin(parameters);
        candidates.begin(parameters);
        if (solveRanges(0, component.cliques())) {
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
        int begin = from;
        while (begin < to) {
            int end = begin;
            while (end < to && state.rest(end) > 0) {
                end++;
            }
            if (end > begin && !solve(begin, end)) {
                return false;
            }
            begin = end + 1;
        }
        return true;
    }

    /** Solves a range without a complete clique. */
    private boolean solve(int from, int to) {
        nodes++;
        isStopped = stopped.test(nodes);
        Edge edge = isStopped ? null : branching.settle(from, to);
        if (edge == null) {
            return false;
        }
        if (edge.choices() == 1) {
            return branch(from, to, edge); // needs no lookup: the next state gets one
        }
        Hash range = TranspositionTable.hash(state, from, to);
        if (deadEnds.contains(range)) {
            return false;
        }
        boolean isSolved = branch(from, to, edge);
        if (!isSolved && !isStopped) {
            deadEnds.add(range);
        }
        return isSolved;
    }

    /** Tries each candidate at an edge in turn; then its floor rises, and an edge is chosen again. */
    private boolean branch(int from, int to, Edge first) {
        for (@Nullable Edge edge = first; edge != null; edge = branching.settle(from, to)) {
            for (Candidate candidate : candidates.at(edge)) {
                int changes = state.changes();
                state.place(candidate.buffer());
                if (solveRanges(from, to)) {
                    return true;
                }
                state.undo(changes);
                if (isStopped) {
                    return false;
                }
            }
            if (!edge.canRise()) {
                return false;
            }
            state.raise(edge.clique(), edge.rise());
        }
        return false;
    }
}
