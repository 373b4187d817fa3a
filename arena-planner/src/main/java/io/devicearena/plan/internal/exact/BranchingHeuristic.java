package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Propagates and chooses where to branch: raises floors on which nothing can rest, detects dead ends by the bytes that
 * they waste, and selects the edge of a gap with the fewest choices, weighted by how little may be wasted there.
 *
 * <p>Source: Haralick and Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980, for
 * the fewest choices first.
 */
final class BranchingHeuristic {
    private final SearchState state;
    private final SkylineGap[] gaps;
    private double slackWeight;

    BranchingHeuristic(LiveRanges component, SearchState state) {
        this.state = state;
        this.gaps = new SkylineGap[component.cliques()];
        Arrays.setAll(gaps, c -> new SkylineGap(component, state, c));
    }

    /** Begins a run; the state has its capacity. */
    void begin(SearchParameters parameters) {
        slackWeight = parameters.slackWeight() / state.capacity();
    }

    /** Propagates in a range until nothing changes and chooses an edge; null if the range is a dead end. */
    @Nullable Edge settle(int from, int to) {
        Edge best = null;
        int left = from;
        while (left < to) {
            int right = left + 1;
            while (right < to && state.floor(right) == state.floor(left)) {
                right++;
            }
            long before = left == from ? SkylineGap.NO_WALL : state.floor(left - 1);
            long after = right == to ? SkylineGap.NO_WALL : state.floor(right);
            SkylineGap gap = gaps[left];
            if (Math.min(before, after) < state.floor(left)) {
                left = right;
                continue;
            }
            if (!gap.isCurrent(right, before, after)) {
                int changes = state.changes();
                if (!gap.look(right, before, after)) {
                    return null;
                }
                if (state.changes() > changes) {
                    left = from;
                    best = null;
                    continue;
                }
            }
            for (Edge edge : new Edge[] {gap.edge(true), gap.edge(false)}) {
                if (edge.choices() == 0) {
                    return null;
                }
                if (best == null
                        || cost(edge) < cost(best)
                        || (cost(edge) == cost(best) && edge.floor() < best.floor())) {
                    best = edge;
                }
            }
            left = right;
        }
        return best;
    }

    private double cost(Edge edge) {
        long slack = state.slack(edge.clique(), edge.floor());
        return edge.choices() == 1 ? 0 : edge.choices() * (1 + slackWeight * slack);
    }
}
