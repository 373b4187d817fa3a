package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of bytes held against an account of every single byte. */
class ByteOwnersTest {
    private static final int BYTES = 24;

    private static int intruder(int[] bytes, int start, int end, int owner) {
        return Arrays.stream(bytes, start, end)
                .filter(writer -> writer != ByteOwners.NOBODY && writer != owner)
                .findFirst()
                .orElse(ByteOwners.NOBODY);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void theFirstIntruderOfEveryRangeIsFound(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteOwners owners = new ByteOwners();
        int[] bytes = new int[BYTES];
        Arrays.fill(bytes, ByteOwners.NOBODY);
        for (int owner = 0; owner < 20; owner++) {
            int start = random.nextInt(BYTES);
            int end = random.nextInt(start + 1, BYTES + 1);
            owners.write(start, end, owner);
            Arrays.fill(bytes, start, end, owner);
            for (int from = 0; from < BYTES; from++) {
                int to = random.nextInt(from + 1, BYTES + 1);
                int self = random.nextInt(owner + 1);

                assertThat(owners.intruder(from, to, holder -> holder == self))
                        .isEqualTo(intruder(bytes, from, to, self));
            }
        }
    }
}
