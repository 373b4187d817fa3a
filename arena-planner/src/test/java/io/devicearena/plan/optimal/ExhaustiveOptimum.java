package io.devicearena.plan.optimal;

import io.devicearena.plan.placement.PlacementProblem;

/**
 * The smallest arena by the definition: tries every order of the buffers, each at the lowest offset above all before it
 * that it meets.
 */
final class ExhaustiveOptimum {
    private final PlacementProblem problem;
    private final long[] ends;
    private final boolean[] placed;
    private long best = Long.MAX_VALUE;

    private ExhaustiveOptimum(PlacementProblem problem) {
        this.problem = problem;
        this.ends = new long[problem.count()];
        this.placed = new boolean[problem.count()];
    }

    static long arenaBytes(PlacementProblem problem) {
        ExhaustiveOptimum search = new ExhaustiveOptimum(problem);
        search.placeFrom(0, problem.origin());
        return search.best;
    }

    private void placeFrom(int done, long arenaBytes) {
        if (done == problem.count()) {
            best = Math.min(best, arenaBytes);
            return;
        }
        for (int i = 0; i < problem.count(); i++) {
            if (placed[i]) {
                continue;
            }
            placed[i] = true;
            ends[i] = problem.occupies(i) ? offset(i) + problem.size(i) : problem.size(i);
            placeFrom(done + 1, Math.max(arenaBytes, ends[i]));
            placed[i] = false;
        }
    }

    private long offset(int i) {
        long offset = problem.origin();
        for (int j = 0; j < problem.count(); j++) {
            if (placed[j]
                    && j != i
                    && problem.occupies(j)
                    && problem.lower(i) < problem.upper(j)
                    && problem.lower(j) < problem.upper(i)) {
                offset = Math.max(offset, ends[j]);
            }
        }
        offset = (offset + problem.alignment() - 1) / problem.alignment() * problem.alignment();
        long boundary = problem.boundary();
        boolean crosses = boundary > 0 && offset / boundary != (offset + problem.size(i) - 1) / boundary;
        return crosses ? (offset / boundary + 1) * boundary : offset;
    }
}
