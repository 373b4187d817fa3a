package io.devicearena.spi;

import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the slot of a value. Threads: safe for any thread once made. */
final class SlotTable {
    private final MemoryPlan plan;
    private final Map<NodeId, SlotState> slots;

    SlotTable(MemoryPlan plan) {
        this.plan = plan;
        this.slots = HashMap.newHashMap(plan.slots().size());
        plan.slots().forEach((id, slot) -> slots.put(id, new SlotState(slot)));
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

    private String describeMissing(NodeId id) {
        String remedy = "; use a value for which hasBuffer is true";
        return plan.schedule().contains(id)
                ? id + ": expected a value with a slot, got one that the plan fused away" + remedy
                : id + ": expected one of the " + slots.size() + " values of the plan, got one it does not know"
                        + remedy;
    }
}
