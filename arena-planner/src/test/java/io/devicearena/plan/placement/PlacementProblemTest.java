package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.SmallProblems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementProblemTest {
    private static final long[] FIRST_STEP = {0};
    private static final long[] END_STEP = {1};

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void lowerBound_anyProblem_isTheMaximumLoad(long seed) {
        for (int i = 0; i < 500; i++) {
            PlacementProblem problem = SmallProblems.small(seed * 500 + i);
            assertThat(problem.lowerBound())
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(mostLive(problem));
        }
    }

    private static long mostLive(PlacementProblem problem) {
        long most = 0;
        for (int step = 0; step < 100; step++) {
            long live = 0;
            for (int i = 0; i < problem.count(); i++) {
                live += problem.lower(i) <= step && step < problem.upper(i) ? problem.size(i) : 0;
            }
            most = Math.max(most, live);
        }
        return most;
    }

    @Test
    void place_stepsUpToTheLargestLong_areCompressed() {
        PlacementProblem problem = new PlacementProblem(
                new long[] {1, 2, 4},
                new long[] {Long.MAX_VALUE - 1, 0, 1L << 40},
                new long[] {Long.MAX_VALUE, (1L << 40) + 1, Long.MAX_VALUE - 1},
                1,
                0);
        assertThat(problem.lowerBound()).isEqualTo(6);
        assertThat(PlacementStrategies.fast().place(problem)).containsExactly(0, 4, 0);
    }

    @Test
    void constructor_arraysChangedLater_keepsItsOwn() {
        long[] sizes = {5};
        PlacementProblem problem = new PlacementProblem(sizes, FIRST_STEP, END_STEP, 1, 0);
        sizes[0] = -1;
        assertThat(problem.size(0)).isEqualTo(5);
        assertThat(problem).hasToString("PlacementProblem[count=1, alignment=1, boundary=0, origin=0]");
    }

    @Test
    void arraysOfOtherLengthsAreRefused() {
        assertRefused(
                new long[2],
                new long[1],
                new long[3],
                1,
                0,
                "buffers: expected equally many sizes, lowers and uppers, got 2, 1 and 3");
    }

    @ParameterizedTest(name = "alignment {0}")
    @ValueSource(longs = {0, -1, 3, Long.MIN_VALUE, Long.MAX_VALUE})
    void anAlignmentThatIsNoPowerOfTwoIsRefused(long alignment) {
        assertRefused(1, alignment, 0, "alignment: expected a power of two, got " + alignment);
    }

    @ParameterizedTest(name = "boundary {0}")
    @ValueSource(longs = {-16, 8, 24})
    void aBoundaryThatIsNoMultipleOfTheAlignmentIsRefused(long boundary) {
        assertRefused(
                1, 16, boundary, "boundary: expected 0 or a multiple of the alignment of 16 bytes, got " + boundary);
    }

    @Test
    void aNegativeSizeIsRefused() {
        assertRefused(-1, 1, 0, "buffer 0: expected a size of 0 or more bytes, got -1");
    }

    @Test
    void aLiveRangeThatIsReversedOrBeginsBeforeStepZeroIsRefused() {
        assertRefused(
                new long[2],
                new long[] {0, 5},
                new long[] {0, 4},
                1,
                0,
                "buffer 1: expected 0 <= lower <= upper, got lower 5, upper 4");
        assertRefused(
                new long[1],
                new long[] {-1},
                new long[] {4},
                1,
                0,
                "buffer 0: expected 0 <= lower <= upper, got lower -1, upper 4");
    }

    @Test
    void aBufferLargerThanTheBoundary_beginsAtAMultiple() {
        PlacementProblem problem = new PlacementProblem(new long[] {16, 80}, new long[2], new long[] {1, 1}, 16, 64);
        PlacementStrategies.all()
                .forEach(strategy -> assertThat(strategy.place(problem)[1] % 64).isZero());
    }

    @Test
    void sizesThatAddUpToMoreThanALongAreRefused() {
        long half = 1L << 62;
        assertRefused(new long[] {half, half}, new long[2], new long[2], 1, 0, tooMuch(1, half));
        assertRefused(new long[] {1, Long.MAX_VALUE}, new long[2], new long[2], 1, 0, tooMuch(1, Long.MAX_VALUE));
        assertRefused(half, 16, half, tooMuch(0, half));
    }

    @Test
    void theSumCountsSizesRoundedUpAndDoesNotWrapAround() {
        long half = 1L << 62;
        assertRefused(Long.MAX_VALUE, 2, 0, tooMuch(0, Long.MAX_VALUE));
        assertRefused(new long[] {1, Long.MAX_VALUE}, new long[2], new long[2], half, 0, tooMuch(1, Long.MAX_VALUE));
        assertRefused(new long[] {1, 1}, new long[2], new long[2], half, 0, tooMuch(1, 1));
        assertThat(one(Long.MAX_VALUE, 1, 0).lowerBound()).isEqualTo(Long.MAX_VALUE);
        assertThat(one(Long.MAX_VALUE - 1, 2, 0).lowerBound()).isEqualTo(Long.MAX_VALUE - 1);
    }

    private static String tooMuch(int buffer, long size) {
        return "buffer " + buffer
                + ": expected the sizes of all buffers to add up to at most 9223372036854775807 bytes,"
                + " got more with its size of " + size;
    }

    private static PlacementProblem one(long size, long alignment, long boundary) {
        return new PlacementProblem(new long[] {size}, FIRST_STEP, END_STEP, alignment, boundary);
    }

    private static void assertRefused(long size, long alignment, long boundary, String message) {
        assertRefused(new long[] {size}, FIRST_STEP, END_STEP, alignment, boundary, message);
    }

    private static void assertRefused(
            long[] sizes, long[] lowers, long[] uppers, long alignment, long boundary, String message) {
        assertThatThrownBy(() -> new PlacementProblem(sizes, lowers, uppers, alignment, boundary))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
