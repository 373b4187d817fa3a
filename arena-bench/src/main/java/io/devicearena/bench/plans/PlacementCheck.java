package io.devicearena.bench.plans;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks placements by a sweep over the steps, with no code of the planner: a smaller arena that is wrong must not win.
 */
final class PlacementCheck {
    private PlacementCheck() {}

    /** Bytes from the lowest offset that buffers may have to the end of the highest buffer. */
    static long arenaBytes(PlacementProblem problem, long[] offsets) {
        return live(problem).mapToLong(i -> offsets[i] + problem.size(i)).max().orElse(problem.origin())
                - problem.origin();
    }

    /**
     * Checks a placement.
     *
     * @throws IllegalStateException if it is invalid; the message names the strategy and the buffers
     */
    static void check(String strategy, PlacementProblem problem, long[] offsets) {
        int[] byFirstStep = sorted(problem, problem::lower);
        int[] byEnd = sorted(problem, problem::upper);
        TreeMap<Long, Integer> liveByOffset = new TreeMap<>();
        int ended = 0;
        for (int buffer : byFirstStep) {
            while (problem.upper(byEnd[ended]) <= problem.lower(buffer)) {
                liveByOffset.remove(offsets[byEnd[ended++]]);
            }
            if (offsets[buffer] < problem.origin() || offsets[buffer] % problem.alignment() != 0) {
                throw new IllegalStateException(strategy + ": invalid placement: buffer " + buffer + " at offset "
                        + offsets[buffer] + ", not a multiple of " + problem.alignment() + " from " + problem.origin()
                        + " up");
            }
            requireApart(strategy, problem, offsets, liveByOffset.floorEntry(offsets[buffer]), buffer);
            requireApart(strategy, problem, offsets, liveByOffset.ceilingEntry(offsets[buffer]), buffer);
            liveByOffset.put(offsets[buffer], buffer);
        }
    }

    private static void requireApart(
            String strategy,
            PlacementProblem problem,
            long[] offsets,
            Map.@Nullable Entry<Long, Integer> neighbour,
            int buffer) {
        if (neighbour != null) {
            int other = neighbour.getValue();
            if (offsets[other] < offsets[buffer] + problem.size(buffer)
                    && offsets[buffer] < offsets[other] + problem.size(other)) {
                throw new IllegalStateException(strategy + ": invalid placement: buffers " + other + " and " + buffer
                        + " share bytes while both are live");
            }
        }
    }

    private static int[] sorted(PlacementProblem problem, ToLongFunction<Integer> step) {
        return live(problem)
                .boxed()
                .sorted(Comparator.comparingLong(step))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static IntStream live(PlacementProblem problem) {
        return IntStream.range(0, problem.count()).filter(problem::occupies);
    }
}
