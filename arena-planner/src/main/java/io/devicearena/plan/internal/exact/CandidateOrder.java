package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.BranchingHeuristic.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;

/**
 * Lists the buffers that can cover an edge of a gap at its floor, the highest score first.
 *
 * <p>Some runs follow the best partial placement of earlier ones: there a buffer scores higher at the address that it
 * has in it. Source: Beck, "Solution-guided multi-point constructive search for job shop scheduling", 2007.
 */
final class CandidateOrder {
    private static final long NOT_PLACED = -1;

    private final LiveRanges component;
    private final SearchState state;
    private final int[] found;
    private final double[] foundScores;
    private final long[] best;
    private final long[] followed;
    private long bestFill;
    private double[] scores = new double[0];
    private double fitBonus;

    CandidateOrder(LiveRanges component, SearchState state) {
        this.component = component;
        this.state = state;
        this.found = new int[component.count()];
        this.foundScores = new double[component.count()];
        this.best = new long[component.count()];
        this.followed = new long[component.count()];
        forget();
    }

    /** Forgets the partial placements of earlier runs. */
    void forget() {
        bestFill = 0;
        Arrays.fill(best, NOT_PLACED);
    }

    /** Begins a run. */
    void begin(SearchParameters parameters) {
        scores = parameters.scores(component);
        fitBonus = parameters.fitBonus();
        Arrays.setAll(followed, i -> parameters.isGuided() ? best[i] : NOT_PLACED);
    }

    /** Keeps the partial placement if it is the best so far. */
    void note() {
        if (state.fill() > bestFill) {
            bestFill = state.fill();
            Arrays.setAll(best, i -> state.isPlaced(i) ? state.addresses()[i] : NOT_PLACED);
        }
    }

    /** The candidates for an edge. */
    int[] at(Edge edge) {
        int n = 0;
        for (int buffer : edge.isLeft() ? state.beginning(edge.left()) : state.ending(edge.right() - 1)) {
            boolean isWithin = component.first(buffer) >= edge.left() && component.end(buffer) <= edge.right();
            if (state.isPlaced(buffer) || !isWithin || !state.allows(buffer, state.floor(edge.left()))) {
                continue;
            }
            double score = score(buffer, edge.left(), edge.right());
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

    /** Sides that fit exactly count: the length of the gap, and the top level with a wall or with the capacity. */
    private double score(int buffer, int left, int right) {
        boolean touchesLeft = component.first(buffer) == left;
        boolean touchesRight = component.end(buffer) == right;
        long address = state.floor(left);
        long top = address + component.size(buffer);
        int fits = (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && left > 0 && state.floor(left - 1) == top ? 1 : 0)
                + (touchesRight && right < state.cliques() && state.floor(right) == top ? 1 : 0)
                + (top == state.capacity() ? 1 : 0);
        double guidance = followed[buffer] == address ? SearchParameters.GUIDANCE_FACTOR : 1;
        return scores[buffer] * (1 + fitBonus * fits) * guidance;
    }
}
