package io.devicearena.plan.strategy;

import io.devicearena.plan.internal.greedy.EarliestFirst;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.skyline.SkylinePacker;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.function.BooleanSupplier;

/**
 * Skyline packing, once, where a gap receives the buffer that is live longest while much is live; best fit in order of
 * time where an input makes that take too long. O(n log n) time and memory.
 *
 * <p><b>Threads:</b> safe for any thread; works on the caller's.
 */
final class FastStrategy implements PlacementStrategy {
    @Override
    public String name() {
        return "fast";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        return place(problem, () -> false);
    }

    @Override
    public long[] place(PlacementProblem problem, BooleanSupplier cancelled) {
        return LiveRanges.place(problem, ranges -> {
            StepBudget budget = new StepBudget(StrategyTuning.SKYLINE_STEPS_PER_BUFFER * ranges.count(), cancelled);
            return SkylinePacker.place(ranges, StrategyTuning.TIME, budget)
                    .orElseGet(() -> EarliestFirst.place(ranges));
        });
    }

    @Override
    public String toString() {
        return name();
    }
}
