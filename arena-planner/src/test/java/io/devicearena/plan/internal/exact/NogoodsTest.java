package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.optimal.Parts;
import io.devicearena.plan.optimal.Problems;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NogoodsTest {
    private final Lifetimes part = Parts.first(Problems.crowded(150, new SplittableRandom(1)));
    private final Terrain terrain = new Terrain(part);
    private final Nogoods nogoods = new Nogoods(16);
    private final Conflict conflict = new Conflict();

    @BeforeEach
    void clear() {
        terrain.clear();
        terrain.prints().take(0, part.moments());
    }

    private void add(int from, int to) {
        conflict.set(from, to);
        nogoods.add(terrain.prints(), conflict);
    }

    private boolean isFound(int from, int to) {
        terrain.prints().take(0, part.moments());
        return nogoods.find(terrain.prints(), from, to, conflict);
    }

    @Test
    void aStateIsFoundAgainWhateverTheMomentsAroundItAreLike() {
        add(3, 6);
        conflict.set(0, 0);
        int elsewhere = bufferFrom(6);
        terrain.place(elsewhere);
        assertThat(isFound(2, part.moments())).isTrue();
        assertThat(conflict).extracting(Conflict::from, Conflict::to).containsExactly(3, 6);
        terrain.place(terrain.beginning().first(4));
        conflict.set(0, 0);
        assertThat(isFound(2, part.moments())).isFalse();
        assertThat(conflict).extracting(Conflict::from, Conflict::to).containsExactly(0, 0);
    }

    private int bufferFrom(int moment) {
        int first = moment;
        while (terrain.beginning().first(first) == Waiting.NONE) {
            first++;
        }
        return terrain.beginning().first(first);
    }

    @Test
    void onlyWhatLiesWithinARangeIsFoundInIt() {
        add(3, 6);
        assertThat(isFound(3, 6)).isTrue();
        assertThat(isFound(4, part.moments())).isFalse();
        assertThat(isFound(0, 5)).isFalse();
    }

    @Test
    void theLatestRangesAreLookedFor() {
        for (int end = 1; end <= 20; end++) {
            add(0, end);
        }
        assertThat(isFound(0, 4)).isFalse();
        assertThat(isFound(0, 5)).isTrue();
        add(7, 8);
        assertThat(isFound(0, 5)).isTrue();
        assertThat(isFound(0, 6)).isTrue();
        assertThat(conflict.to()).isEqualTo(5);
    }

    @Test
    void nothingIsFoundAmongNoneNorAfterAllWasForgotten() {
        for (int buffer = 0; buffer < part.count(); buffer++) {
            terrain.place(buffer);
        }
        add(part.moments() - 1, part.moments());
        assertThat(isFound(0, part.moments() - 1)).isFalse();
        nogoods.clear();
        add(0, 1);
        nogoods.clear();
        assertThat(isFound(0, part.moments())).isFalse();
    }
}
