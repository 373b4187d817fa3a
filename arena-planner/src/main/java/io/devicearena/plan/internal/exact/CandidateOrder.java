package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Lists the buffers that can cover an edge of a gap at its floor, the highest score first.
 *
 * <p>Some runs follow the best partial placement of earlier ones: there a buffer scores higher at the address that it
 * has in it. Source: Beck, "Solution-guided multi-point constructive search for job shop scheduling", 2007.
 */
final class CandidateOrder {
    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble(Candidate::score).reversed();

    private final LiveRanges component;
    private final SearchState state;
    private long[] best = new long[0];
    private long[] followed = new long[0];
    private long bestFill;
    private long capacity;
    private double[] scores = new double[0];
    private double fitBonus;
    private boolean isGuided;

    record Candidate(int buffer, double score) {}

    CandidateOrder(LiveRanges component, SearchState state) {
        this.component = component;
        this.state = state;
    }

    /** Begins a run; partial placements in another capacity are forgotten. */
    void begin(SearchParameters parameters) {
        if (parameters.capacity() != capacity) {
            capacity = parameters.capacity();
            bestFill = 0;
            best = new long[component.count()];
            Arrays.fill(best, SearchState.UNPLACED);
        }
        scores = parameters.scores(component);
        fitBonus = parameters.fitBonus();
        followed = best;
        isGuided = parameters.isGuided();
    }

    /** Keeps the partial placement if it is the best so far. */
    void note() {
        if (state.fill() > bestFill) {
            bestFill = state.fill();
            best = state.addresses().clone();
        }
    }

    /** The candidates for an edge. */
    List<Candidate> at(Edge edge) {
        List<Candidate> found = new ArrayList<>();
        for (int buffer : state.touching(edge.clique(), edge.isLeft())) {
            boolean isWithin = component.first(buffer) >= edge.left() && component.end(buffer) <= edge.right();
            if (!state.isPlaced(buffer) && isWithin && state.allows(buffer, edge.floor())) {
                found.add(new Candidate(buffer, score(buffer, edge.left(), edge.right(), edge.floor())));
            }
        }
        found.sort(BEST_FIRST);
        return found;
    }

    /** Sides that fit exactly count: the length of the gap, and the top level with a wall or with the capacity. */
    private double score(int buffer, int left, int right, long address) {
        boolean touchesLeft = component.first(buffer) == left;
        boolean touchesRight = component.end(buffer) == right;
        long top = address + component.size(buffer);
        int fits = (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && left > 0 && state.floor(left - 1) == top ? 1 : 0)
                + (touchesRight && right < component.cliques() && state.floor(right) == top ? 1 : 0)
                + (top == state.capacity() ? 1 : 0);
        double guidance = isGuided && followed[buffer] == address ? SearchParameters.GUIDANCE_FACTOR : 1;
        return scores[buffer] * (1 + fitBonus * fits) * guidance;
    }
}
