package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.SmallProblems;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverlapCheckTest {
    private static final int PROBLEMS_PER_SEED = 1_000;

    /** Three buffers of 32 bytes; the first two meet, the third begins as the first ends. */
    private static PlacementProblem three(long alignment, long boundary) {
        return new PlacementProblem(
                new long[] {32, 32, 32}, new long[] {0, 1, 2}, new long[] {2, 3, 4}, alignment, boundary);
    }

    @Test
    void aPlacementThatKeepsItsPromisesPasses() {
        assertThatCode(() -> OverlapCheck.check(three(32, 64), new long[] {0, 32, 0}, 64))
                .doesNotThrowAnyException();
    }

    @Test
    void anOverlapOfOneByteIsFound() {
        assertBroken(
                three(1, 0),
                new long[] {0, 31, 63},
                1_000,
                "buffer 0 and buffer 1: expected no byte in common, got offset 0, size 32, life [0, 2)"
                        + " and offset 31, size 32, life [1, 3)");
        assertBroken(
                three(1, 0),
                new long[] {100, 40, 9},
                1_000,
                "buffer 1 and buffer 2: expected no byte in common, got offset 40, size 32, life [1, 3)"
                        + " and offset 9, size 32, life [2, 4)");
    }

    @Test
    void oneOffsetForTwoIsAnOverlap() {
        assertBroken(
                three(1, 0),
                new long[] {0, 0, 99},
                1_000,
                "buffer 0 and buffer 1: expected no byte in common, got offset 0, size 32, life [0, 2)"
                        + " and offset 0, size 32, life [1, 3)");
    }

    @Test
    void anOffsetThatIsNotAlignedIsFound() {
        assertBroken(
                three(16, 0),
                new long[] {0, 40, 0},
                1_000,
                "buffer 1: expected an offset that is a multiple of 16, got offset 40, size 32, life [1, 3)");
    }

    @Test
    void aNegativeOffsetIsFound() {
        assertBroken(
                three(16, 0),
                new long[] {0, 32, -32},
                1_000,
                "buffer 2: expected an offset of 0 or more, got offset -32, size 32, life [2, 4)");
    }

    @Test
    void anEndPastTheArenaIsFound() {
        assertBroken(
                three(1, 0),
                new long[] {0, 32, 0},
                63,
                "buffer 1: expected an end within the arena of 63 bytes, got offset 32, size 32, life [1, 3)");
        assertBroken(
                three(1, 0),
                new long[] {0, Long.MAX_VALUE, 0},
                Long.MAX_VALUE,
                "buffer 1: expected an end within the arena of 9223372036854775807 bytes,"
                        + " got offset 9223372036854775807, size 32, life [1, 3)");
    }

    @Test
    void aBufferAcrossTheBoundaryIsFound() {
        assertBroken(
                three(16, 64),
                new long[] {0, 48, 0},
                1_000,
                "buffer 1: expected bytes that cross no multiple of 64, got offset 48, size 32, life [1, 3)");
    }

    @Test
    void offsetsForOtherBuffersAreRefused() {
        assertBroken(three(1, 0), new long[2], 1_000, "offsets: expected one for each of 3 buffers, got 2");
        assertBroken(three(1, 0), new long[3], -1, "arena: expected a size of 0 or more bytes, got -1");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void itRefusesExactlyWhatTheDefinitionRefuses(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = SmallProblems.small(seed * PROBLEMS_PER_SEED + i);
            long[] offsets = PlacementStrategies.fast().place(problem);
            long arena = random.nextInt(8) == 0 ? random.nextLong(500) : Long.MAX_VALUE;
            if (offsets.length > 0 && random.nextBoolean()) {
                offsets[random.nextInt(offsets.length)] += random.nextLong(-40, 40);
            }
            boolean sound = isSound(problem, offsets, arena);
            assertThat(passes(problem, offsets, arena))
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(sound);
            refused += sound ? 0 : 1;
        }
        assertThat(refused).isBetween(PROBLEMS_PER_SEED / 10, PROBLEMS_PER_SEED * 9 / 10);
    }

    private static boolean passes(PlacementProblem problem, long[] offsets, long arena) {
        try {
            OverlapCheck.check(problem, offsets, arena);
            return true;
        } catch (IllegalArgumentException refused) {
            // Which promise is broken is the business of the other tests.
            return false;
        }
    }

    private static boolean isSound(PlacementProblem problem, long[] offsets, long arena) {
        for (int i = 0; i < offsets.length; i++) {
            long end = offsets[i] + problem.size(i);
            long boundary = problem.boundary();
            boolean crosses = boundary > 0
                    && problem.size(i) > 0
                    && Math.floorDiv(offsets[i], boundary) != Math.floorDiv(end - 1, boundary);
            long lowest = problem.occupies(i) ? problem.origin() : 0;
            if (offsets[i] < lowest || offsets[i] % problem.alignment() != 0 || end > arena || crosses) {
                return false;
            }
            for (int j = 0; j < i; j++) {
                boolean share = offsets[j] < end && offsets[i] < offsets[j] + problem.size(j);
                if (share && SmallProblems.conflict(problem, i, j)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void assertBroken(PlacementProblem problem, long[] offsets, long arenaSize, String message) {
        assertThatThrownBy(() -> OverlapCheck.check(problem, offsets, arenaSize))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
