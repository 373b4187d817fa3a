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
 * @param buffers the life and slot size of every value of the schedule that has a slot, in its order; a value whose slot
 *     an op takes over gives it up at that op's step, and one that lies in a concatenation's slot has an empty life, as a
 *     view has, while the concatenation's begins with the first of its parts
 * @param lowerBoundBytes the most bytes live at any step, padding to the alignment included, counting once what may share
 *     bytes, and no less than the largest slot: no plan of this order of execution needs less, whichever of its values share
 *     slots
 * @param strategy the name of the strategy that placed the values
 * @param shared the values that lie in the slot of another one which is needed at the same step, in the order of the
 *     schedule; views, which are such by themselves, are not among them
 */
public record PlannedMemory(
        MemoryPlan plan, List<LiveBuffer> buffers, long lowerBoundBytes, String strategy, List<SharedSlot> shared) {
    /** Makes the result; the lists are copied. */
    public PlannedMemory {
        Objects.requireNonNull(plan, "plan");
        buffers = List.copyOf(buffers);
        Objects.requireNonNull(strategy, "strategy");
        shared = List.copyOf(shared);
    }

    /**
     * Makes a result in which no values share a slot while both are needed; the list is copied.
     *
     * @param plan where every value lives
     * @param buffers the life and slot size of every value of the schedule that has a slot, in its order
     * @param lowerBoundBytes the most bytes live at any step
     * @param strategy the name of the strategy that placed the values
     */
    public PlannedMemory(MemoryPlan plan, List<LiveBuffer> buffers, long lowerBoundBytes, String strategy) {
        this(plan, buffers, lowerBoundBytes, strategy, List.of());
    }
}
