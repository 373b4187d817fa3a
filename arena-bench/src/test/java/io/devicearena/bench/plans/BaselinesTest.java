package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.bench.published.Baselines;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BaselinesTest {
    static Stream<PlacementStrategy> baselines() {
        return Baselines.all().stream();
    }

    private static PlacementProblem random(long seed, long boundary) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = 200;
        long[] sizes = random.longs(count, 0, 512).map(size -> size & -4).toArray();
        long[] firsts = random.longs(count, 0, 100).toArray();
        long[] ends = new long[count];
        for (int i = 0; i < count; i++) {
            ends[i] = firsts[i] + random.nextInt(30);
        }
        return new PlacementProblem(sizes, firsts, ends, 4, boundary, 64);
    }

    private static PlacementStrategy named(String name) {
        return baselines().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("baselines")
    void placementIsValid(PlacementStrategy baseline) {
        for (long seed = 0; seed < 20; seed++) {
            PlacementProblem problem = random(seed, 0);
            PlacementCheck.check(baseline.name(), problem, baseline.place(problem));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("baselines")
    void noBufferCrossesTheBoundary(PlacementStrategy baseline) {
        long boundary = 1024;
        PlacementProblem problem = random(1, boundary);
        long[] offsets = baseline.place(problem);
        PlacementCheck.check(baseline.name(), problem, offsets);
        for (int i = 0; i < offsets.length; i++) {
            long last = offsets[i] + Math.max(1, problem.size(i)) - 1;
            assertThat(last / boundary).as("buffer " + i).isEqualTo(offsets[i] / boundary);
        }
    }

    @Test
    void bestFitTakesTheSmallestGapAndFirstFitTheLowest() {
        // 0 to 3 stack up; once 0 and 2 have ended, gaps of 10 at 0 and of 8 at 19 are left for buffer 4
        PlacementProblem problem = new PlacementProblem(
                new long[] {10, 9, 8, 7, 6}, new long[] {0, 0, 0, 0, 1}, new long[] {1, 2, 1, 2, 2}, 1, 0);

        assertThat(named("largest-first").place(problem)).containsExactly(0, 10, 19, 27, 0);
        assertThat(named("largest-first-best-fit").place(problem)).containsExactly(0, 10, 19, 27, 19);
    }

    @Test
    void breadthPlacesTheFullestStepFirst() {
        // step 1 has 9 bytes, step 0 has 8: buffers 1 and 2 go first, though buffer 0 is larger than each
        PlacementProblem problem =
                new PlacementProblem(new long[] {8, 5, 4}, new long[] {0, 1, 1}, new long[] {1, 2, 2}, 1, 0);

        assertThat(named("greedy-by-breadth").place(problem)).containsExactly(0, 0, 5);
    }
}
