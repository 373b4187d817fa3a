package io.devicearena.plan.testing;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;

/** Places buffers in their order, each at the lowest offset that is free and follows the boundary. */
public final class FirstFit implements PlacementStrategy {
    @Override
    public String name() {
        return "first-fit";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        long[] offsets = new long[problem.count()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = roundUp(problem.origin(), problem.alignment());
            while (problem.occupies(i) && blockedUntil(problem, offsets, i) > offsets[i]) {
                offsets[i] = roundUp(blockedUntil(problem, offsets, i), problem.alignment());
            }
        }
        return offsets;
    }

    /** Where to look next when buffer i cannot be at its offset; the offset itself when it can. */
    private static long blockedUntil(PlacementProblem problem, long[] offsets, int i) {
        long end = offsets[i] + problem.size(i);
        long boundary = problem.boundary();
        if (boundary > 0 && offsets[i] / boundary != (end - 1) / boundary) {
            return roundUp(offsets[i] + 1, boundary);
        }
        for (int k = 0; k < i; k++) {
            boolean together = problem.lower(k) < problem.upper(i) && problem.lower(i) < problem.upper(k);
            if (together && problem.occupies(k) && offsets[k] < end && offsets[i] < offsets[k] + problem.size(k)) {
                return offsets[k] + problem.size(k);
            }
        }
        return offsets[i];
    }

    private static long roundUp(long bytes, long multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }
}
