package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Work;
import io.devicearena.plan.testing.OverlapCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeaksTest {
    private static final long STEPS = 5_000_000;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void whatItFindsMeetsTheBoundAndNothingOverlaps(long seed) {
        int found = 0;
        for (int i = 0; i < 50; i++) {
            found += check(Problems.small(50 * seed + i)) ? 1 : 0;
        }
        assertThat(found).isGreaterThan(10);
    }

    @ParameterizedTest(name = "{0} buffers")
    @ValueSource(ints = {200, 1_000, 4_000})
    void whereLivesAreShortItMostlyFindsOne(int count) {
        int found = 0;
        for (long seed = 1; seed <= 20; seed++) {
            found += check(Shapes.brief(count, seed)) ? 1 : 0;
            found += check(Shapes.uneven(count, seed)) ? 1 : 0;
            found += check(Shapes.training(count, seed)) ? 1 : 0;
        }
        assertThat(found).isGreaterThan(54);
    }

    /** Looks for a placement from the one of valleys; tells whether there was one. */
    private static boolean check(PlacementProblem problem) {
        if (problem.occupying().length == 0) {
            return false;
        }
        Lives lives = new Lives(problem);
        Optional<long[]> found = new Peaks(lives).place(valleys(lives), STEPS, () -> false);
        found.ifPresent(addresses -> {
            assertThat(lives.isLeast(lives.bytes(addresses))).isTrue();
            long[] offsets = Lives.place(problem, same -> addresses);
            OverlapCheck.check(problem, offsets, PlacementStrategiesTest.arena(problem, offsets));
        });
        return found.isPresent();
    }

    private static long[] valleys(Lives lives) {
        return SkylineBestFit.PREFERENCE.place(lives, Work.unlimited()).orElseThrow();
    }

    @Test
    void whereThereIsNoneItFindsNone() {
        assertThat(check(Shapes.aboveItsBound())).isFalse();
    }

    @Test
    void whatWasPlacedOnceIsCompletedFromElsewhere() {
        Lives lives = new Lives(Shapes.mixed(10_000, 2));
        Peaks peaks = new Peaks(lives);
        long[] start = valleys(lives);
        assertThat(peaks.place(start, 1, () -> false)).isEmpty();
        List<long[]> found = new ArrayList<>();
        peaks.place(start, 100_000_000, () -> false).ifPresent(found::add);
        peaks.place(new long[lives.count()], 100_000_000, () -> false).ifPresent(found::add);
        assertThat(found).isNotEmpty().allMatch(addresses -> lives.isLeast(lives.bytes(addresses)));
    }

    @Test
    void itNeedsLittleOfTheStackOfItsCaller() throws InterruptedException {
        Lives lives = new Lives(Shapes.mixed(10_000, 2));
        List<Throwable> thrown = new ArrayList<>();
        Thread small =
                new Thread(null, () -> new Peaks(lives).place(valleys(lives), STEPS, () -> false), "small", 192L << 10);
        small.setUncaughtExceptionHandler((thread, cause) -> thrown.add(cause));
        small.start();
        small.join();
        assertThat(thrown).isEmpty();
    }
}
