package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.testing.SearchProblems;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchingHeuristicTest {
    private static final int STEPS = 3_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void cachedSegmentsChangeNoChoice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlacementProblem problem = seed % 2 == 0 ? SearchProblems.crowded(40, random) : SearchProblems.cutSquare(60, seed);
        LiveRanges component = SearchProblems.firstComponent(problem);
        long target = component.lowerBoundBytes();
        Side cached = new Side(component, target);
        Side uncached = new Side(component, target);
        List<Integer> marks = new ArrayList<>();
        int settled = 0;
        for (int step = 0; step < STEPS; step++) {
            int at = incomplete(cached.state, random.nextInt(component.cliques()));
            marks.add(cached.state.changes());
            int from = at;
            int to = at;
            while (from > 0 && cached.state.rest(from - 1) > 0) {
                from--;
            }
            while (to < component.cliques() && cached.state.rest(to) > 0) {
                to++;
            }
            boolean isSettled = cached.branching.settle(from, to);
            uncached.state.segments().clear();
            assertThat(uncached.branching.settle(from, to)).isEqualTo(isSettled);
            assertThat(cached.text(isSettled && from < to)).isEqualTo(uncached.text(isSettled && from < to));
            settled += isSettled ? 1 : 0;
            boolean goesOn = isSettled && from < to && cached.goesOn(random.nextLong(), uncached);
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

    /** The next incomplete clique; the first clique if there is none. */
    private static int incomplete(SearchState state, int from) {
        for (int c = from; c < state.cliques(); c++) {
            if (state.rest(c) > 0) {
                return c;
            }
        }
        return 0;
    }

    /** A search whose choices the test makes. */
    private static final class Side {
        private final SearchState state;
        private final BranchingHeuristic branching;
        private final CandidateOrder candidates;

        Side(LiveRanges component, long target) {
            this.state = new SearchState(component);
            CapacityLimit capacity = new CapacityLimit(component);
            this.branching = new BranchingHeuristic(component, state, capacity);
            SolutionGuidance guidance = new SolutionGuidance(component.count());
            this.candidates = new CandidateOrder(component, state, capacity, guidance);
            SearchParameters parameters = new SearchParameters(target, 8, 1);
            state.clear();
            assertThat(capacity.set(target)).isTrue();
            guidance.begin(parameters);
            branching.begin(parameters);
            candidates.begin(parameters);
        }

        /**
         * Places a buffer at the chosen edge, or raises the edge, here and on another side; false if nothing is
         * possible.
         */
        boolean goesOn(long draw, Side other) {
            SplittableRandom random = new SplittableRandom(draw);
            int edge = branching.isAtLeft() ? branching.from() : branching.to() - 1;
            int[] found = candidates.at(branching.from(), branching.to(), branching.isAtLeft());
            long rise = branching.rise();
            if (found.length > 0 && (random.nextInt(8) > 0 || !branching.canRise(edge, rise))) {
                int buffer = found[random.nextInt(found.length)];
                state.place(buffer);
                other.state.place(buffer);
                return true;
            }
            if (!branching.canRise(edge, rise)) {
                return false;
            }
            state.raise(edge, edge + 1, rise);
            other.state.raise(edge, edge + 1, rise);
            return true;
        }

        String text(boolean hasChoice) {
            StringBuilder text = new StringBuilder();
            for (int c = 0; c < state.cliques(); c++) {
                text.append(state.floor(c)).append(' ');
            }
            if (hasChoice) {
                text.append(branching.from())
                        .append(branching.isAtLeft() ? " left " : " right ")
                        .append(branching.to())
                        .append(' ')
                        .append(branching.rise());
            }
            return text.toString();
        }
    }
}
