package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.testing.SearchProblems;
import io.devicearena.plan.placement.PlacementProblem;
import org.junit.jupiter.api.Test;

class TranspositionTableTest {
    private final TranspositionTable table = new TranspositionTable(10);

    private String hash(SearchState state, int from, int to) {
        table.hash(state, from, to);
        return table.low() + " " + table.high();
    }

    private boolean contains(SearchState state) {
        table.hash(state, 0, state.cliques());
        return table.contains(table.low(), table.high());
    }

    private static SearchState empty(LiveRanges component) {
        SearchState state = new SearchState(component);
        state.clear();
        return state;
    }

    @Test
    void hash_sameBuffersInAnotherOrder_isTheSame() {
        SearchState state = empty(SearchProblems.firstComponent(SearchProblems.together(5, 7, 3)));
        String before = hash(state, 0, 1);
        state.place(0);
        String one = hash(state, 0, 1);
        state.place(1);
        String both = hash(state, 0, 1);
        state.undo(0);
        state.place(1);
        assertThat(hash(state, 0, 1)).isNotIn(before, one, both);
        state.place(0);
        assertThat(hash(state, 0, 1)).isEqualTo(both).isNotIn(before, one);
    }

    @Test
    void hash_equalBuffers_areInterchangeable() {
        SearchState state = empty(SearchProblems.firstComponent(SearchProblems.together(5, 7, 5)));
        state.place(0);
        String first = hash(state, 0, 1);
        state.undo(0);
        state.place(2);
        assertThat(hash(state, 0, 1)).isEqualTo(first);
    }

    @Test
    void hash_changesElsewhere_doNotMatter() {
        // At cliques 0 and 1, 1 to 3, 3, all four, 0, and 2.
        SearchState state = empty(SearchProblems.firstComponent(new PlacementProblem(
                new long[] {2, 3, 4, 1, 1, 1}, new long[] {0, 1, 3, 0, 0, 2}, new long[] {2, 4, 5, 5, 1, 3}, 1, 0)));
        String begin = hash(state, 0, 1);
        String rest = hash(state, 1, 4);
        state.place(2);
        assertThat(hash(state, 0, 1)).isEqualTo(begin);
        assertThat(hash(state, 1, 4)).isNotEqualTo(rest);
        state.undo(0);
        assertThat(hash(state, 1, 4)).isEqualTo(rest);
        state.raise(1, 2, 7);
        assertThat(hash(state, 1, 4)).isNotEqualTo(rest);
    }

    @Test
    void contains_addedState_untilTheTableIsCleared() {
        SearchState state = empty(SearchProblems.firstComponent(SearchProblems.cutSquare(60, 3)));
        assertThat(contains(state)).isFalse();
        table.add(table.low(), table.high());
        assertThat(contains(state)).isTrue();
        state.raise(4, 5, 1);
        assertThat(contains(state)).isFalse();
        state.undo(0);
        assertThat(contains(state)).isTrue();
        table.clear();
        assertThat(contains(state)).isFalse();
    }
}
