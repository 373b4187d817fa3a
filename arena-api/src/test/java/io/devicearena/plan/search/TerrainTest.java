package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerrainTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void changesAreUndoneInAnyNumber(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Part part = Part.of(Problems.crowded(150, random)).getFirst();
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
        Part part = Part.of(Problems.together(5, 7, 3)).getFirst();
        List<String> some = prints(part, 0, 1);
        List<String> others = prints(part, 1, 0);
        assertThat(others.getLast()).isEqualTo(some.getLast());
        assertThat(others.getFirst()).isNotIn(some);
        assertThat(some).doesNotHaveDuplicates();
    }

    /** The prints after each of some buffers is placed. */
    private static List<String> prints(Part part, int... buffers) {
        Terrain terrain = new Terrain(part);
        terrain.clear();
        List<String> prints = new ArrayList<>();
        for (int buffer : buffers) {
            terrain.place(buffer);
            terrain.takePrint(0, terrain.moments());
            prints.add(terrain.printLow() + " " + terrain.printHigh());
        }
        return prints;
    }

    private static void change(Part part, Terrain terrain, SplittableRandom random) {
        int buffer = random.nextInt(part.count());
        if (random.nextInt(4) == 0) {
            terrain.lift(buffer, random.nextInt(1_000));
        } else if (!terrain.isPlaced(buffer)) {
            long top = 0;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                top = Math.max(top, terrain.floor(m));
            }
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                terrain.raise(m, m + 1, top);
            }
            boolean finishes = false;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                finishes |= terrain.rest(m) == part.size(buffer);
            }
            assertThat(terrain.place(buffer)).isEqualTo(finishes);
        }
    }

    private static String state(Part part, Terrain terrain) {
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
        terrain.takePrint(0, terrain.moments());
        return text.append(' ')
                .append(terrain.printLow())
                .append(' ')
                .append(terrain.printHigh())
                .append(' ')
                .append(terrain.fill())
                .toString();
    }
}
