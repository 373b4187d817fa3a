package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lists the buffers that can cover an edge of a gap at its floor, the highest score first. Some runs follow the fullest
 * partial placement of earlier ones, in which a buffer scores higher at its address there.
 *
 * <p>Source: Beck, "Solution-guided multi-point constructive search for job shop scheduling", 2007.
 */
final class CandidateOrder {
    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble(Candidate::score).reversed();

    private final LiveRanges component;
    private final SearchState state;
    private long[] fullest;
    private long[] followed;
    private double leastUnplaced;
    private long capacity;
    private double[] scores = new double[0];
    private double fitBonus;
    private boolean isGuided;

    record Candidate(int buffer, double score) {}

    CandidateOrder(LiveRanges component, SearchState state) {
        this.component = component;
        this.state = state;
        this.fullest = state.addresses().clone();
        this.followed = fullest;
    }

    /** Begins a run; the state is empty. Partial placements in another capacity are forgotten. */
    void begin(SearchParameters parameters) {
        if (parameters.capacity() != capacity) {
            capacity = parameters.capacity();
            leastUnplaced = state.unplacedArea();
            fullest = state.addresses().clone();
        }
        scores = parameters.scores(component);
        fitBonus = parameters.fitBonus();
        followed = fullest;
        isGuided = parameters.isGuided();
    }

    /** Keeps the partial placement if it is the fullest so far. */
    void note() {
        if (state.unplacedArea() < leastUnplaced) {
            leastUnplaced = state.unplacedArea();
            fullest = state.addresses().clone();
        }
    }

    List<Candidate> at(Edge edge) {
        List<Candidate> found = new ArrayList<>();
        for (int buffer : state.touching(edge.clique(), edge.isLeft())) {
            boolean isWithin = component.first(buffer) >= edge.left() && component.end(buffer) <= edge.right();
            if (!state.isPlaced(buffer) && isWithin && state.allows(buffer, edge.floor())) {
                found.add(new Candidate(buffer, score(buffer, edge)));
            }
        }
        found.sort(BEST_FIRST);
        return found;
    }

    /** Sides that fit exactly count: the length of the gap, and the top level with a wall or with the capacity. */
    private double score(int buffer, Edge edge) {
        boolean touchesLeft = component.first(buffer) == edge.left();
        boolean touchesRight = component.end(buffer) == edge.right();
        long top = edge.floor() + component.size(buffer);
        int fits = (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && edge.left() > 0 && state.floor(edge.left() - 1) == top ? 1 : 0)
                + (touchesRight && edge.right() < component.cliques() && state.floor(edge.right()) == top ? 1 : 0)
                + (top == state.capacity() ? 1 : 0);
        double guidance = isGuided && followed[buffer] == edge.floor() ? SearchParameters.GUIDANCE_FACTOR : 1;
        return scores[buffer] * (1 + fitBonus * fits) * guidance;
    }
}
