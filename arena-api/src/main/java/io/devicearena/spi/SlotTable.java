package io.devicearena.spi;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the slot of a value. Threads: safe for any thread once made. */
final class SlotTable {
    private final MemoryPlan plan;
    private final Map<NodeId, SlotState> slots;

    SlotTable(MemoryPlan plan, boolean reinterpretation) {
        this.plan = plan;
        this.slots = HashMap.newHashMap(plan.slots().size());
        plan.slots()
                .forEach((id, slot) ->
                        slots.put(id, new SlotState(slot, plan.values().get(id), reinterpretation)));
    }

    @Nullable SlotState find(NodeId id) {
        return slots.get(id);
    }

    SlotState require(NodeId id) {
        SlotState slot = slots.get(id);
        if (slot == null) {
            throw new IllegalArgumentException(describeMissing(id));
        }
        return slot;
    }

    /** The slot of a value that may be accessed as a type. */
    SlotState require(NodeId id, DType dtype) {
        SlotState slot = require(id);
        if (slot.dtype != null && slot.dtype != dtype) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected access as " + slot.dtype.label()
                    + ", its type in the plan, got " + dtype.label() + "; pass " + slot.dtype.label()
                    + ", or open the arena with ArenaOptions.withReinterpretation");
        }
        return slot;
    }

    /** A value as messages write it. */
    String describe(NodeId id) {
        return plan.describe(id);
    }

    private String describeMissing(NodeId id) {
        String remedy = "; use a value for which hasBuffer is true";
        return plan.schedule().contains(id)
                ? plan.describe(id) + ": expected a value with a slot, got one that the plan fused away" + remedy
                : id + ": expected one of the " + slots.size() + " values of the plan, got one it does not know"
                        + remedy;
    }
}
