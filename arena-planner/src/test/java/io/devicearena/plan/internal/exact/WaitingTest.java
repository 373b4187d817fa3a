package io.devicearena.plan.internal.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTest {
    private static final int MOMENTS = 5;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatIsNotTakenIsListedLastOnesFirst(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] moments = random.ints(20, 0, MOMENTS).toArray();
        Waiting waiting = new Waiting(moments, MOMENTS);
        waiting.clear();
        Deque<Integer> taken = new ArrayDeque<>();
        for (int step = 0; step < 500; step++) {
            int buffer = random.nextInt(moments.length);
            if (!taken.contains(buffer)) {
                taken.push(buffer);
                waiting.take(buffer);
            } else {
                waiting.putBack(taken.pop());
            }
            for (int m = 0; m < MOMENTS; m++) {
                int moment = m;
                assertThat(listed(waiting, m))
                        .isEqualTo(IntStream.range(0, moments.length)
                                .map(i -> moments.length - 1 - i)
                                .filter(i -> moments[i] == moment && !taken.contains(i))
                                .boxed()
                                .toList());
            }
        }
        waiting.clear();
        assertThat(IntStream.range(0, MOMENTS)
                        .mapToObj(m -> listed(waiting, m))
                        .mapToInt(List::size)
                        .sum())
                .isEqualTo(moments.length);
    }

    private static List<Integer> listed(Waiting waiting, int moment) {
        List<Integer> found = new ArrayList<>();
        for (int i = waiting.first(moment); i != Waiting.NONE; i = waiting.after(i)) {
            found.add(i);
        }
        return found;
    }
}
