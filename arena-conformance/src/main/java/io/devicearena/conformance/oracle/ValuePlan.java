package io.devicearena.conformance.oracle;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plan of all types of the specification: a value of five elements of each, in a padded slot. */
public final class ValuePlan {
    /** Elements of each value. */
    public static final int ELEMENTS = 5;

    /** Bytes of each slot: more than the elements of any type take, and a multiple of none. */
    public static final int SLOT = 61;

    /** The slot of a value of which the plan knows no type. */
    public static final NodeId UNTYPED = NodeId.of(DType.values().length + 1L);

    /** Has a type and no slot. */
    public static final NodeId FUSED = NodeId.of(DType.values().length + 2L);

    /** Not in the plan. */
    public static final NodeId MISSING = NodeId.of(DType.values().length + 3L);

    /** The plan's size. */
    public static final int BYTES = (DType.values().length + 1) * SLOT;

    private static final List<DType> TYPES = List.of(DType.values());

    private ValuePlan() {}

    /** The place of a type in the plan: that in the enum. */
    public static int index(DType dtype) {
        return TYPES.indexOf(dtype);
    }

    /** The value of a type. */
    public static NodeId of(DType dtype) {
        return NodeId.of(index(dtype) + 1L);
    }

    /** The name of the value of a type. */
    public static String name(DType dtype) {
        return "tensor." + dtype.label();
    }

    /** Where the value of a type begins. */
    public static int offset(DType dtype) {
        return index(dtype) * SLOT;
    }

    public static MemoryPlan plan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (DType dtype : DType.values()) {
            slots.put(of(dtype), new BufferSlot(offset(dtype), SLOT));
            values.put(of(dtype), value(name(dtype), dtype, ELEMENTS));
        }
        slots.put(UNTYPED, new BufferSlot(BYTES - (long) SLOT, SLOT));
        values.put(FUSED, value("fused", DType.F32, ELEMENTS));
        List<NodeId> schedule = new ArrayList<>(slots.keySet());
        schedule.add(FUSED);
        return new MemoryPlan(BYTES, slots, schedule, values);
    }

    /** The bytes of an arena that {@code ConformanceTopic.openValues} opened. */
    public static byte[] filled() {
        return TestData.filled(BYTES + 16, 0x55);
    }

    /** A plan of one value at the beginning. */
    public static MemoryPlan single(DType dtype, long elements) {
        PlanValue value = value(name(dtype), dtype, elements);
        return new MemoryPlan(
                value.bytes(),
                Map.of(of(dtype), new BufferSlot(0, value.bytes())),
                List.of(of(dtype)),
                Map.of(of(dtype), value));
    }

    public static PlanValue value(String name, DType dtype, long elements) {
        return new PlanValue(name, NodeRole.PARAMETER, dtype, List.of(elements), Optional.empty());
    }
}
