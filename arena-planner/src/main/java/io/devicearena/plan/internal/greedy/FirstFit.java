package io.devicearena.plan.internal.greedy;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.overlap.InsertionSearch;
import io.devicearena.plan.internal.overlap.OverlapIndex;
import io.devicearena.plan.internal.overlap.PlacementState;
import java.util.Optional;

/**
 * Places buffers in a given order, each at the lowest offset that is free during its live range.
 *
 * <p>Takes O(n) steps for each buffer at worst, when many live ranges are long; the budget bounds the total.
 *
 * <p><b>Source:</b> Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020, algorithm 3,
 * for the largest first.
 */
public final class FirstFit {
    private FirstFit() {}

    /** The offsets of one or more buffers; empty when one ends above the limit or the budget is exhausted. */
    public static Optional<long[]> place(LiveRanges ranges, int[] order, long limitBytes, StepBudget budget) {
        PlacementState state = new PlacementState(ranges);
        OverlapIndex index = new OverlapIndex(ranges, ranges.byFirst(), state, budget);
        InsertionSearch search = new InsertionSearch(ranges, state, new long[ranges.count()], 0, budget);
        for (int buffer : order) {
            long offset = search.firstFit(index, buffer);
            if (offset > ranges.highestOffset(buffer, limitBytes) || budget.isExhausted()) {
                return Optional.empty();
            }
            index.place(buffer, offset);
        }
        return Optional.of(state.offsets());
    }
}
