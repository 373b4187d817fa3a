package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.testing.SearchProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchStateTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void undo_anyNumberOfChanges_restoresTheState(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LiveRanges component = SearchProblems.firstComponent(SearchProblems.crowded(150, random));
        SearchState state = new SearchState(component);
        List<Integer> marks = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            marks.add(state.changes());
            texts.add(text(component, state));
            change(component, state, random);
            if (random.nextInt(10) == 0) {
                int back = random.nextInt(marks.size());
                state.undo(marks.get(back));
                assertThat(text(component, state)).isEqualTo(texts.get(back));
                marks.subList(back, marks.size()).clear();
                texts.subList(back, texts.size()).clear();
            }
        }
    }

    private static void change(LiveRanges component, SearchState state, SplittableRandom random) {
        int buffer = random.nextInt(component.count());
        if (state.isPlaced(buffer)) {
            return;
        }
        long top = 0;
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            top = Math.max(top, state.floor(c));
        }
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            state.raise(c, top);
        }
        state.place(buffer);
        assertThat(state.addresses()[buffer]).isEqualTo(top);
    }

    private static String text(LiveRanges component, SearchState state) {
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < component.cliques(); c++) {
            long left = 0;
            for (int i = 0; i < component.count(); i++) {
                if (component.first(i) <= c && c < component.end(i) && !state.isPlaced(i)) {
                    left += component.size(i);
                }
            }
            assertThat(state.rest(c)).isEqualTo(left);
            text.append(state.floor(c))
                    .append('/')
                    .append(state.unplacedKeys(c))
                    .append(' ');
        }
        for (int i = 0; i < component.count(); i++) {
            text.append(state.isPlaced(i) ? "p" : "-");
        }
        return text.toString();
    }
}
