package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.exact.TranspositionTable.Hash;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.SearchProblems;
import org.junit.jupiter.api.Test;

class TranspositionTableTest {
    @Test
    void hash_sameBuffersInAnotherOrder_isTheSame() {
        SearchState state = new SearchState(SearchProblems.firstComponent(SearchProblems.together(5, 7, 3)));
        Hash before = TranspositionTable.hash(state, 0, 1);
        state.place(0);
        Hash one = TranspositionTable.hash(state, 0, 1);
        state.place(1);
        Hash both = TranspositionTable.hash(state, 0, 1);
        state.undo(0);
        state.place(1);
        assertThat(TranspositionTable.hash(state, 0, 1)).isNotIn(before, one, both);
        state.place(0);
        assertThat(TranspositionTable.hash(state, 0, 1)).isEqualTo(both).isNotIn(before, one);
    }

    @Test
    void hash_equalBuffers_areInterchangeable() {
        SearchState state = new SearchState(SearchProblems.firstComponent(SearchProblems.together(5, 7, 5)));
        state.place(0);
        Hash first = TranspositionTable.hash(state, 0, 1);
        state.undo(0);
        state.place(2);
        assertThat(TranspositionTable.hash(state, 0, 1)).isEqualTo(first);
    }

    @Test
    void hash_changesElsewhere_doNotMatter() {
        // At cliques 0 and 1, 1 to 3, 3, all four, 0, and 2.
        SearchState state = new SearchState(SearchProblems.firstComponent(new PlacementProblem(
                new long[] {2, 3, 4, 1, 1, 1}, new long[] {0, 1, 3, 0, 0, 2}, new long[] {2, 4, 5, 5, 1, 3}, 1, 0)));
        Hash begin = TranspositionTable.hash(state, 0, 1);
        Hash rest = TranspositionTable.hash(state, 1, 4);
        state.place(2);
        assertThat(TranspositionTable.hash(state, 0, 1)).isEqualTo(begin);
        assertThat(TranspositionTable.hash(state, 1, 4)).isNotEqualTo(rest);
        state.undo(0);
        assertThat(TranspositionTable.hash(state, 1, 4)).isEqualTo(rest);
        state.raise(1, 7);
        assertThat(TranspositionTable.hash(state, 1, 4)).isNotEqualTo(rest);
    }

    @Test
    void contains_addedState_inItsCapacity() {
        LiveRanges component = SearchProblems.firstComponent(SearchProblems.cutSquare(60, 3));
        SearchState state = new SearchState(component);
        TranspositionTable table = new TranspositionTable(10);
        table.add(TranspositionTable.hash(state, 0, component.cliques()));
        assertThat(table.contains(TranspositionTable.hash(state, 0, component.cliques())))
                .isTrue();
        state.raise(4, 1);
        assertThat(table.contains(TranspositionTable.hash(state, 0, component.cliques())))
                .isFalse();
        state.undo(0);
        assertThat(table.contains(TranspositionTable.hash(state, 0, component.cliques())))
                .isTrue();
        state.begin(SearchProblems.SQUARE);
        assertThat(table.contains(TranspositionTable.hash(state, 0, component.cliques())))
                .isFalse();
    }
}
