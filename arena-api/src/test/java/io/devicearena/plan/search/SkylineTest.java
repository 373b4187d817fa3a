package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkylineTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void changesAreUndoneInAnyNumber(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Part part = Part.of(Problems.crowded(150, random)).getFirst();
        Skyline skyline = new Skyline(part);
        skyline.clear();
        List<Integer> marks = new ArrayList<>();
        List<String> states = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            marks.add(skyline.changes());
            states.add(state(part, skyline));
            change(part, skyline, random);
            if (random.nextInt(10) == 0) {
                int back = random.nextInt(marks.size());
                skyline.undo(marks.get(back));
                assertThat(state(part, skyline)).isEqualTo(states.get(back));
                marks.subList(back, marks.size()).clear();
                states.subList(back, states.size()).clear();
            }
        }
    }

    private static void change(Part part, Skyline skyline, SplittableRandom random) {
        int buffer = random.nextInt(part.count());
        if (random.nextInt(4) == 0) {
            skyline.lift(buffer, random.nextInt(1_000));
        } else if (!skyline.isPlaced(buffer)) {
            long top = 0;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                top = Math.max(top, skyline.floor(m));
            }
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                skyline.raise(m, m + 1, top);
            }
            boolean finishes = false;
            for (int m = part.first(buffer); m <= part.last(buffer); m++) {
                finishes |= skyline.rest(m) == part.size(buffer);
            }
            assertThat(skyline.place(buffer)).isEqualTo(finishes);
        }
    }

    private static String state(Part part, Skyline skyline) {
        StringBuilder text = new StringBuilder();
        for (int m = 0; m < skyline.moments(); m++) {
            long left = 0;
            long beforeAndAt = 0;
            for (int i = 0; i < part.count(); i++) {
                if (part.first(i) <= m && m <= part.last(i) && !skyline.isPlaced(i)) {
                    left += part.size(i);
                    beforeAndAt += part.first(i) < m ? 1 : 0;
                }
            }
            assertThat(skyline.rest(m)).isEqualTo(left);
            assertThat(skyline.isCrossed(m)).isEqualTo(beforeAndAt > 0);
            text.append(skyline.floor(m)).append(' ');
        }
        for (int i = 0; i < part.count(); i++) {
            text.append(skyline.isPlaced(i) ? "p" : "-").append(skyline.lowest(i));
        }
        skyline.takePrint(0, skyline.moments());
        return text.append(' ')
                .append(skyline.printLow())
                .append(' ')
                .append(skyline.printHigh())
                .append(' ')
                .append(skyline.fill())
                .toString();
    }
}
