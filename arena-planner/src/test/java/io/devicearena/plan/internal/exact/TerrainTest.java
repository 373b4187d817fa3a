package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.optimal.Problems;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerrainTest {
    private static final Conflict NOWHERE = new Conflict();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void changesAreUndoneInAnyNumber(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Lifetimes part = Parts.first(Problems.crowded(150, random));
        Terrain terrain = new Terrain(part);
        terrain.clear();
        List<Integer> marks = new ArrayList<>();
        List<String> states = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            marks.add(terrain.changes());
            states.add(state(part, terrain));
            change(part, terrain, random);
            if (random.nextInt(10) == 0) {
                int back = random.nextInt(marks.size());
                terrain.undo(marks.get(back));
                assertThat(state(part, terrain)).isEqualTo(states.get(back));
                marks.subList(back, marks.size()).clear();
                states.subList(back, states.size()).clear();
            }
        }
    }

    @Test
    void allOrdersOfAStackHaveOnePrint() {
        Lifetimes part = Parts.first(Problems.together(5, 7, 3));
        List<String> some = prints(part, 0, 1);
        List<String> others = prints(part, 1, 0);
        assertThat(others.getLast()).isEqualTo(some.getLast());
        assertThat(others.getFirst()).isNotIn(some);
        assertThat(some).doesNotHaveDuplicates();
    }

    /** The prints after each of some buffers is placed. */
    private static List<String> prints(Lifetimes part, int... buffers) {
        Terrain terrain = new Terrain(part);
        terrain.clear();
        List<String> prints = new ArrayList<>();
        for (int buffer : buffers) {
            terrain.place(buffer);
            prints.add(print(terrain, 0, terrain.moments()));
        }
        return prints;
    }

    /** The print of some moments, where those before and after are looked at too. */
    private static String print(Terrain terrain, int from, int to) {
        Prints prints = terrain.prints();
        prints.take(0, terrain.moments());
        return prints.low(from, to) + " " + prints.high(from, to);
    }

    @Test
    void thePrintOfSomeMomentsHoldsNothingOfOthers() {
        // At moments 0 and 1, 1 to 3, 3, all four, 0, and 2.
        Lifetimes part = Parts.first(new PlacementProblem(
                new long[] {2, 3, 4, 1, 1, 1}, new long[] {0, 1, 3, 0, 0, 2}, new long[] {2, 4, 5, 5, 1, 3}, 1, 0));
        Terrain terrain = new Terrain(part);
        terrain.clear();
        String before = print(terrain, part.first(1), part.last(1) + 1);
        String begin = print(terrain, 0, 1);
        terrain.place(2);
        assertThat(print(terrain, 0, 1)).isEqualTo(begin);
        assertThat(print(terrain, part.first(1), part.last(1) + 1)).isNotEqualTo(before);
        terrain.undo(0);
        assertThat(print(terrain, part.first(1), part.last(1) + 1)).isEqualTo(before);
        terrain.lift(1, 7, NOWHERE);
        assertThat(print(terrain, 0, 1)).isEqualTo(begin);
        assertThat(print(terrain, part.first(1), part.last(1) + 1)).isNotEqualTo(before);
    }

    @Test
    void finishedMomentsAreAlikeWhateverTheirFloor() {
        Lifetimes part = Parts.first(Problems.together(5, 7));
        Terrain terrain = new Terrain(part);
        terrain.clear();
        terrain.place(0);
        terrain.place(1);
        String low = print(terrain, 0, 1);
        terrain.undo(0);
        terrain.raise(0, 1, 9, NOWHERE);
        terrain.place(0);
        terrain.place(1);
        assertThat(print(terrain, 0, 1)).isEqualTo(low);
    }

    @Test
    void aConflictRestsOnWhatTheChangesItRestsOnRestOn() {
        Lifetimes part = Parts.first(Problems.cutSquare(60, 3));
        Terrain terrain = new Terrain(part);
        terrain.clear();
        raise(terrain, 4, 2, 5);
        raise(terrain, 2, 0, 3);
        raise(terrain, 9, 8, 12);
        Conflict conflict = new Conflict();
        conflict.set(4, 5);
        terrain.widen(conflict, 2);
        assertThat(conflict).extracting(Conflict::from, Conflict::to).containsExactly(4, 5);
        terrain.widen(conflict, 0);
        assertThat(conflict).extracting(Conflict::from, Conflict::to).containsExactly(2, 5);
        conflict.set(2, 3);
        terrain.widen(conflict, 1);
        assertThat(conflict).extracting(Conflict::from, Conflict::to).containsExactly(0, 3);
    }

    private static void raise(Terrain terrain, int moment, int reasonFrom, int reasonTo) {
        Conflict reason = new Conflict();
        reason.set(reasonFrom, reasonTo);
        terrain.raise(moment, moment + 1, 1, reason);
    }

    private static void change(Lifetimes part, Terrain terrain, SplittableRandom random) {
        int buffer = random.nextInt(part.count());
        if (random.nextInt(4) == 0) {
            terrain.lift(buffer, random.nextInt(1_000), NOWHERE);
        } else if (!terrain.isPlaced(buffer)) {
            long top = 0;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                top = Math.max(top, terrain.floor(m));
            }
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                terrain.raise(m, m + 1, top, NOWHERE);
            }
            boolean finishes = false;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                finishes |= terrain.rest(m) == part.size(buffer);
            }
            assertThat(terrain.place(buffer)).isEqualTo(finishes);
        }
    }

    private static String state(Lifetimes part, Terrain terrain) {
        StringBuilder text = new StringBuilder();
        for (int m = 0; m < terrain.moments(); m++) {
            long left = 0;
            long beforeAndAt = 0;
            for (int i = 0; i < part.count(); i++) {
                if (part.first(i) <= m && m <= part.last(i) && !terrain.isPlaced(i)) {
                    left += part.size(i);
                    beforeAndAt += part.first(i) < m ? 1 : 0;
                }
            }
            assertThat(terrain.rest(m)).isEqualTo(left);
            assertThat(terrain.isCrossed(m)).isEqualTo(beforeAndAt > 0);
            text.append(terrain.floor(m)).append(' ');
        }
        for (int i = 0; i < part.count(); i++) {
            text.append(terrain.isPlaced(i) ? "p" : "-").append(terrain.lowest(i));
        }
        return text.append(' ')
                .append(print(terrain, 0, terrain.moments()))
                .append(' ')
                .append(terrain.fill())
                .toString();
    }
}
