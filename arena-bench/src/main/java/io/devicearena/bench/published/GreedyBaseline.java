package io.devicearena.bench.published;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Places buffers one by one in a fixed order, each in a gap between the buffers placed before that are live with it.
 */
record GreedyBaseline(String name, Function<PlacementProblem, List<Integer>> order, GapRule rule)
        implements PlacementStrategy {
    @Override
    public long[] place(PlacementProblem problem) {
        long[] offsets = new long[problem.count()];
        Arrays.fill(offsets, problem.origin());
        int[] placed = new int[problem.count()]; // by ascending offset
        int count = 0;
        for (int buffer : order.apply(problem)) {
            offsets[buffer] = offset(buffer, problem, offsets, placed, count);
            int at = count++;
            for (; at > 0 && offsets[placed[at - 1]] > offsets[buffer]; at--) {
                placed[at] = placed[at - 1];
            }
            placed[at] = buffer;
        }
        return offsets;
    }

    /** Scans the gaps between the placed buffers whose live ranges overlap the buffer's, from the lowest offset up. */
    private long offset(int buffer, PlacementProblem problem, long[] offsets, int[] placed, int count) {
        long size = problem.size(buffer);
        long best = -1;
        long smallest = Long.MAX_VALUE;
        long gapStart = problem.origin();
        for (int k = 0; k < count; k++) {
            int other = placed[k];
            if (problem.lower(other) < problem.upper(buffer) && problem.lower(buffer) < problem.upper(other)) {
                long start = allowed(gapStart, size, problem);
                long gap = offsets[other] - gapStart;
                if (start + size <= offsets[other] && gap < smallest) {
                    if (rule == GapRule.FIRST) {
                        return start;
                    }
                    best = start;
                    smallest = gap;
                }
                gapStart = Math.max(gapStart, offsets[other] + problem.size(other));
            }
        }
        return best >= 0 ? best : allowed(gapStart, size, problem);
    }

    /**
     * The lowest offset from a byte on that is aligned and from which the buffer crosses no multiple of the boundary.
     */
    private static long allowed(long from, long size, PlacementProblem problem) {
        long aligned = (from + problem.alignment() - 1) & -problem.alignment();
        long boundary = problem.boundary();
        return boundary == 0 || aligned / boundary == (aligned + size - 1) / boundary
                ? aligned
                : (aligned / boundary + 1) * boundary;
    }
}
