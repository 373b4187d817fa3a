package io.devicearena.plan;

import io.devicearena.MemoryPlan;
import java.util.List;
import java.util.Objects;

/**
 * A plan with what it was made from.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param plan where every value lives
 * @param buffers the life and slot size of every value of the schedule that has a slot, in its order
 * @param lowerBoundBytes the most bytes live at any step, padding to the alignment included: no plan needs less
 * @param strategy the name of the strategy that placed the values
 */
public record PlannedMemory(MemoryPlan plan, List<LiveBuffer> buffers, long lowerBoundBytes, String strategy) {
    /** Makes the result; the list is copied. */
    public PlannedMemory {
        Objects.requireNonNull(plan, "plan");
        buffers = List.copyOf(buffers);
        Objects.requireNonNull(strategy, "strategy");
    }
}
