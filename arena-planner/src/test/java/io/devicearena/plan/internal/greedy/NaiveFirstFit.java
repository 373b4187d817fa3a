package io.devicearena.plan.internal.greedy;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.SmallProblems;
import java.util.ArrayList;
import java.util.List;

/** First fit by the definition: tries each offset that could be the lowest against every buffer placed. */
final class NaiveFirstFit {
    private NaiveFirstFit() {}

    /** The offsets in bytes of buffers that are placed in an order. */
    static long[] place(PlacementProblem problem, int[] order) {
        long[] offsets = new long[problem.count()];
        List<Integer> placed = new ArrayList<>();
        for (int i : order) {
            offsets[i] = lowest(problem, offsets, placed, i);
            placed.add(i);
        }
        return offsets;
    }

    private static long lowest(PlacementProblem problem, long[] offsets, List<Integer> placed, int i) {
        List<Integer> overlapping = placed.stream()
                .filter(p -> SmallProblems.conflict(problem, p, i))
                .toList();
        long offset = problem.origin();
        while (true) {
            long wanted = offset;
            if (crosses(problem, wanted, problem.size(i))) {
                offset = (wanted / problem.boundary() + 1) * problem.boundary();
                continue;
            }
            var hit = overlapping.stream()
                    .filter(p -> offsets[p] < wanted + problem.size(i) && wanted < offsets[p] + problem.size(p))
                    .findFirst();
            if (hit.isEmpty()) {
                return wanted;
            }
            offset = SmallProblems.roundUp(offsets[hit.get()] + problem.size(hit.get()), problem.alignment());
        }
    }

    private static boolean crosses(PlacementProblem problem, long offset, long size) {
        long boundary = problem.boundary();
        return boundary > 0 && offset / boundary != (offset + size - 1) / boundary;
    }
}
