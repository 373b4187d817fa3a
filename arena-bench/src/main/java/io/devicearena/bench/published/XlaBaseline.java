package io.devicearena.bench.published;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;

/** The better of XLA's two orders: spatial, by size, and temporal, by length of the live range. */
final class XlaBaseline implements PlacementStrategy {
    private final PlacementStrategy spatial =
            new GreedyBaseline("spatial", BufferOrder::largestThenLongest, GapRule.SMALLEST);
    private final PlacementStrategy temporal =
            new GreedyBaseline("temporal", BufferOrder::longestThenLargest, GapRule.SMALLEST);

    @Override
    public String name() {
        return "xla-best-of-orders";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        long[] bySize = spatial.place(problem);
        long[] byLength = temporal.place(problem);
        return end(problem, bySize) <= end(problem, byLength) ? bySize : byLength;
    }

    private static long end(PlacementProblem problem, long[] offsets) {
        long end = 0;
        for (int i = 0; i < offsets.length; i++) {
            end = Math.max(end, offsets[i] + problem.size(i));
        }
        return end;
    }
}
