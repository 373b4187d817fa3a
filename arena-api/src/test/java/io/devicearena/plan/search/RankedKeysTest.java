package io.devicearena.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankedKeysTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatIsMarkedComesInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] keys = random.longs(200, 0, 100).toArray();
        RankedKeys ranked = RankedKeys.of(keys);
        for (int round = 0; round < 200; round++) {
            int changed = random.nextInt(keys.length);
            keys[changed] = random.nextInt(100);
            ranked.move(changed, keys[changed]);
            boolean[] marked = new boolean[keys.length];
            int marks = 0;
            for (int i = 0; i < keys.length; i++) {
                if (random.nextInt(3) == 0) {
                    marked[i] = true;
                    ranked.mark(i);
                    marks++;
                }
            }
            int[] found = new int[keys.length];
            assertThat(ranked.takeMarked(found)).isEqualTo(marks);
            for (int k = 0; k < marks; k++) {
                assertThat(marked[found[k]]).isTrue();
                assertThat(k == 0 || keys[found[k - 1]] <= keys[found[k]]).isTrue();
            }
            assertThat(ranked.takeMarked(found)).isZero();
        }
    }
}
