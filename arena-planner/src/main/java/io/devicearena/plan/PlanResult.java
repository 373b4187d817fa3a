package io.devicearena.plan;

import io.devicearena.MemoryPlan;
import java.util.List;
import java.util.Objects;

/**
 * A plan with what it was made from.
 *
 * <p>Steps count the ops that write their value to memory, from 0 in the order of execution. Values that the host
 * writes, views and fused ops take no step. A graph without such ops has one step. A value that the host writes is live
 * at every step.
 *
 * <p>Live ranges are those after aliasing. A value whose slot an op reuses ends at the step of that op, and a part of a
 * concatenation at the step of the concatenation. A view and an update of a state have an empty live range. That of a
 * view is at the last step before it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param plan the slot of every value
 * @param buffers the live range and slot size of every value that has a slot, in the order of the schedule
 * @param lowerBoundBytes what every plan of this order of execution needs, whichever of its values share slots: the
 *     most bytes live at any step, padding to the alignment included, values that may share bytes counted once; for
 *     buffers without a graph no less than the largest one
 * @param strategy the name of the strategy that placed the values
 * @param aliases the values that lie in the slot of another one which is needed at the same step, in the order of the
 *     schedule; views are not listed
 */
public record PlanResult(
        MemoryPlan plan, List<LiveBuffer> buffers, long lowerBoundBytes, String strategy, List<SlotAlias> aliases) {
    /** Makes the result; the lists are copied. */
    public PlanResult {
        Objects.requireNonNull(plan, "plan");
        buffers = List.copyOf(buffers);
        Objects.requireNonNull(strategy, "strategy");
        aliases = List.copyOf(aliases);
    }
}
