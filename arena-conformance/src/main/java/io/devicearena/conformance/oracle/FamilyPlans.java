package io.devicearena.conformance.oracle;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two graphs that run one at a time in one arena, as the specification describes them. */
public final class FamilyPlans {
    /** In both graphs: a parameter of 16 F32. */
    public static final NodeId WEIGHT = NodeId.of(1);

    /** In both graphs: a state of four I64. */
    public static final NodeId STATE = NodeId.of(2);

    /** In both graphs, with another type and place in each. */
    public static final NodeId OUTPUT = NodeId.of(3);

    /** In the second graph alone. */
    public static final NodeId HIDDEN = NodeId.of(4);

    /** Where {@link #STATE} begins. */
    public static final int STATE_OFFSET = 64;

    /** Where the activations begin. */
    public static final int ACTIVATIONS = 96;

    /** The size of the larger graph, and so of the arena. */
    public static final int BYTES = 176;

    private FamilyPlans() {}

    /** What both graphs share, in an arena that is large enough for each. */
    public static MemoryPlan arena() {
        return plan(BYTES, Map.of(), Map.of());
    }

    /** Eight F32 at 96, in a slot of 48 bytes. */
    public static MemoryPlan first() {
        return plan(
                160,
                Map.of(OUTPUT, new BufferSlot(ACTIVATIONS, 48)),
                Map.of(OUTPUT, value("output", NodeRole.OUTPUT, DType.F32, 8)));
    }

    /** Bytes over those of the first graph, and an output behind them. */
    public static MemoryPlan second() {
        return plan(
                BYTES,
                Map.of(HIDDEN, new BufferSlot(ACTIVATIONS, 61), OUTPUT, new BufferSlot(160, 16)),
                Map.of(
                        HIDDEN, value("hidden", NodeRole.OP, DType.U8, 61),
                        OUTPUT, value("output", NodeRole.OUTPUT, DType.F16, 5)));
    }

    private static PlanValue value(String name, NodeRole role, DType dtype, long elements) {
        return new PlanValue(name, role, dtype, List.of(elements), Optional.empty());
    }

    private static MemoryPlan plan(long size, Map<NodeId, BufferSlot> ownSlots, Map<NodeId, PlanValue> ownValues) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(ownSlots);
        Map<NodeId, PlanValue> values = new LinkedHashMap<>(ownValues);
        slots.put(WEIGHT, new BufferSlot(0, STATE_OFFSET));
        slots.put(STATE, new BufferSlot(STATE_OFFSET, 32));
        values.put(WEIGHT, value("weight", NodeRole.PARAMETER, DType.F32, 16));
        values.put(STATE, value("state", NodeRole.STATE, DType.I64, 4));
        return new MemoryPlan(size, slots, List.of(), values);
    }
}
