package io.devicearena.plan.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeRole;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.testing.TestNode;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of bytes compared with a record of every single byte. */
class LastWriterMapTest {
    private static final int BYTES = 24;

    private static @Nullable GraphValue intruder(GraphValue[] bytes, int start, int end, GraphValue self) {
        return Arrays.stream(bytes, start, end)
                .filter(writer -> writer != null && writer != self)
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void intruder_ofEveryRange_isTheFirst(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LastWriterMap map = new LastWriterMap();
        GraphValue[] bytes = new GraphValue[BYTES];
        GraphValue[] writers = new GraphValue[20];
        for (int i = 0; i < writers.length; i++) {
            writers[i] = new GraphValue(TestNode.of(i, NodeRole.OP, 1), i, i, PlanOptions.f32Uniform(4));
            int start = random.nextInt(BYTES);
            int end = random.nextInt(start + 1, BYTES + 1);
            map.write(start, end, writers[i]);
            Arrays.fill(bytes, start, end, writers[i]);
            for (int from = 0; from < BYTES; from++) {
                int to = random.nextInt(from + 1, BYTES + 1);
                GraphValue self = Objects.requireNonNull(writers[random.nextInt(i + 1)]);

                assertThat(map.intruder(from, to, writer -> writer == self)).isSameAs(intruder(bytes, from, to, self));
            }
        }
    }
}
