package io.devicearena.plan.internal.exact;

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

    /** An edge of the gap from left to right, and its floor if no buffer covers it, {@code NO_WALL} if one must. */
    record Edge(int left, int right, boolean isLeft, long rise, double cost) {
        int clique() {
            return isLeft ? left : right - 1;
        }

        boolean canRise() {
            return rise != SkylineGap.NO_WALL;
        }

        /** Whether there is a single choice. */
        boolean isForced() {
            return cost == 0;
        }
    }

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
                    left = firstChanged(left, from);
                    continue;
                }
            }
            for (boolean isLeft = true; ; isLeft = false) {
                int clique = isLeft ? left : right - 1;
                long rise = state.slack(clique, gap.rise(isLeft)) < 0 ? SkylineGap.NO_WALL : gap.rise(isLeft);
                int choices = gap.choices(isLeft) + (rise == SkylineGap.NO_WALL ? 0 : 1);
                if (choices == 0) {
                    return null;
                }
                long slack = state.slack(clique, state.floor(clique));
                double cost = choices == 1 ? 0 : choices * (1 + slackWeight * slack);
                if (best == null
                        || cost < best.cost
                        || (cost == best.cost && state.floor(left) < state.floor(best.left))) {
                    best = new Edge(left, right, isLeft, rise, cost);
                }
                if (!isLeft) {
                    break;
                }
            }
            left = right;
        }
        return best;
    }

    /** The first clique to look at again after a raise: that of a lower or equal segment that now ends differently. */
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
}
