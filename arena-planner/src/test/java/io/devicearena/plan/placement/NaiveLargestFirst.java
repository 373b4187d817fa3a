package io.devicearena.plan.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** First fit by the definition: tries each offset that could be the lowest against every buffer placed. */
final class NaiveLargestFirst implements PlacementStrategy {
    @Override
    public String name() {
        return "naive-largest-first";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        Comparator<Integer> order =
                Comparator.comparingLong((Integer i) -> -problem.size(i)).thenComparingInt(i -> i);
        long[] offsets = new long[problem.count()];
        List<Integer> placed = new ArrayList<>();
        IntStream.range(0, problem.count())
                .filter(problem::occupies)
                .boxed()
                .sorted(order)
                .forEach(i -> {
                    offsets[i] = lowest(problem, offsets, placed, i);
                    placed.add(i);
                });
        return offsets;
    }

    private static long lowest(PlacementProblem problem, long[] offsets, List<Integer> placed, int i) {
        List<Integer> met =
                placed.stream().filter(p -> Problems.conflict(problem, p, i)).toList();
        long offset = problem.origin();
        while (true) {
            long wanted = offset;
            if (crosses(problem, wanted, problem.size(i))) {
                offset = (wanted / problem.boundary() + 1) * problem.boundary();
                continue;
            }
            var hit = met.stream()
                    .filter(p -> offsets[p] < wanted + problem.size(i) && wanted < offsets[p] + problem.size(p))
                    .findFirst();
            if (hit.isEmpty()) {
                return wanted;
            }
            offset = Problems.roundUp(offsets[hit.get()] + problem.size(hit.get()), problem.alignment());
        }
    }

    private static boolean crosses(PlacementProblem problem, long offset, long size) {
        long boundary = problem.boundary();
        return boundary > 0 && offset / boundary != (offset + size - 1) / boundary;
    }
}
