package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;

/**
 * Lists the buffers that can cover an edge of a gap at its floor, the highest score first.
 *
 * <p>Threads: one thread at a time.
 */
final class CandidateOrder {
    private final LiveRanges component;
    private final SearchState state;
    private final CapacityLimit capacity;
    private final SolutionGuidance guidance;
    private final int[] found;
    private final double[] foundScores;
    private double[] scores = new double[0];
    private double fitBonus;

    CandidateOrder(LiveRanges component, SearchState state, CapacityLimit capacity, SolutionGuidance guidance) {
        this.component = component;
        this.state = state;
        this.capacity = capacity;
        this.guidance = guidance;
        this.found = new int[component.count()];
        this.foundScores = new double[component.count()];
    }

    /** Begins a run. */
    void begin(SearchParameters parameters) {
        scores = parameters.scores(component);
        fitBonus = parameters.fitBonus();
    }

    /** The candidates for an edge of the gap in a range of cliques. */
    int[] at(int left, int right, boolean atLeft) {
        long address = state.floor(left);
        int n = 0;
        for (int buffer : atLeft ? state.beginning(left) : state.ending(right - 1)) {
            boolean isWithin = component.first(buffer) >= left && component.end(buffer) <= right;
            if (state.isPlaced(buffer) || !isWithin || !capacity.allows(buffer, address)) {
                continue;
            }
            double score =
                    scores[buffer] * (1 + fitBonus * exactFits(buffer, left, right)) * guidance.factor(buffer, address);
            int at = n++;
            for (; at > 0 && score > foundScores[at - 1]; at--) {
                found[at] = found[at - 1];
                foundScores[at] = foundScores[at - 1];
            }
            found[at] = buffer;
            foundScores[at] = score;
        }
        return Arrays.copyOf(found, n);
    }

    /**
     * How many sides fit exactly: the length of the gap, and the top level with a wall beside it or with the capacity.
     */
    private int exactFits(int buffer, int left, int right) {
        boolean touchesLeft = component.first(buffer) == left;
        boolean touchesRight = component.end(buffer) == right;
        long top = state.floor(left) + component.size(buffer);
        return (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && left > 0 && state.floor(left - 1) == top ? 1 : 0)
                + (touchesRight && right < state.cliques() && state.floor(right) == top ? 1 : 0)
                + (top == capacity.units() ? 1 : 0);
    }
}
