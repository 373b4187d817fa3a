package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.CandidateOrder.Candidate;
import io.devicearena.plan.internal.exact.SkylineGap.Edge;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.SearchProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchingHeuristicTest {
    private static final int STEPS = 3_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void settle_withGapsOfEarlierCalls_choosesTheSame(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementProblem problem =
                seed % 2 == 0 ? SearchProblems.crowded(40, random) : SearchProblems.cutSquare(60, seed);
        LiveRanges component = SearchProblems.firstComponent(problem);
        long target = component.lowerBoundBytes();
        Side cached = new Side(component, target);
        Side uncached = new Side(component, target);
        List<Integer> marks = new ArrayList<>();
        int settled = 0;
        for (int step = 0; step < STEPS; step++) {
            int at = cached.incomplete(random.nextInt(component.cliques()));
            marks.add(cached.state.changes());
            int from = at;
            int to = at;
            while (from > 0 && cached.state.rest(from - 1) > 0) {
                from--;
            }
            while (to < component.cliques() && cached.state.rest(to) > 0) {
                to++;
            }
            Edge edge = cached.branching.settle(from, to);
            assertThat(uncached.newBranching().settle(from, to)).isEqualTo(edge);
            assertThat(cached.floors()).isEqualTo(uncached.floors());
            settled += edge == null ? 0 : 1;
            boolean goesOn = edge != null && cached.goesOn(edge, random.nextLong(), uncached);
            if (!goesOn || random.nextInt(20) == 0) {
                int steps = from == to ? marks.size() : 1 + random.nextInt(1 + random.nextInt(8));
                int back = Math.max(0, marks.size() - steps);
                cached.state.undo(marks.get(back));
                uncached.state.undo(marks.get(back));
                marks.subList(back, marks.size()).clear();
            }
        }
        assertThat(settled).isGreaterThan(STEPS / 20);
    }

    /** A search whose choices the test makes. */
    private static final class Side {
        private final LiveRanges component;
        private final SearchParameters parameters;
        private final SearchState state;
        private final BranchingHeuristic branching;
        private final CandidateOrder candidates;

        Side(LiveRanges component, long target) {
            this.component = component;
            this.parameters = new SearchParameters(target, 8, 1);
            this.state = new SearchState(component);
            state.begin(target);
            this.branching = newBranching();
            this.candidates = new CandidateOrder(component, state);
            candidates.begin(parameters);
        }

        BranchingHeuristic newBranching() {
            BranchingHeuristic made = new BranchingHeuristic(component, state);
            made.begin(parameters);
            return made;
        }

        /** The next incomplete clique; the first clique if there is none. */
        int incomplete(int from) {
            return IntStream.range(from, component.cliques())
                    .filter(c -> state.rest(c) > 0)
                    .findFirst()
                    .orElse(0);
        }

        /** Places a buffer at an edge, or raises it, here and on another side; false if nothing is possible. */
        boolean goesOn(Edge edge, long draw, Side other) {
            SplittableRandom random = new SplittableRandom(draw);
            List<Candidate> found = candidates.at(edge);
            if (!found.isEmpty() && (random.nextInt(8) > 0 || !edge.canRise())) {
                int buffer = found.get(random.nextInt(found.size())).buffer();
                state.place(buffer);
                other.state.place(buffer);
                return true;
            }
            if (edge.canRise()) {
                state.raise(edge.clique(), edge.rise());
                other.state.raise(edge.clique(), edge.rise());
            }
            return edge.canRise();
        }

        long[] floors() {
            return IntStream.range(0, component.cliques())
                    .mapToLong(state::floor)
                    .toArray();
        }
    }
}
