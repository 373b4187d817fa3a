package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists the buffers that can cover an edge of a gap at its floor, the highest score first. */
final class CandidateOrder {
    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble(Candidate::score).reversed();

    private final LiveRanges component;
    private final SearchState state;
    private double[] scores = new double[0];
    private double fitBonus;

    record Candidate(int buffer, double score) {}

    CandidateOrder(LiveRanges component, SearchState state) {
        this.component = component;
        this.state = state;
    }

    void begin(SearchParameters parameters) {
        scores = parameters.scores(component);
        fitBonus = parameters.fitBonus();
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
        return scores[buffer] * (1 + fitBonus * fits);
    }
}
