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
        List<Typed> typed = new ArrayList<>();
        for (DType dtype : DType.values()) {
            typed.add(new Typed(of(dtype), name(dtype), offset(dtype), SLOT, dtype, ELEMENTS));
        }
        MemoryPlan plan = plan(BYTES, typed);
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(plan.slots());
        slots.put(UNTYPED, new BufferSlot(BYTES - (long) SLOT, SLOT));
        Map<NodeId, PlanValue> values = new LinkedHashMap<>(plan.values());
        values.put(FUSED, new Typed(FUSED, "fused", 0, 0, DType.F32, ELEMENTS).value());
        List<NodeId> schedule = new ArrayList<>(slots.keySet());
        schedule.add(FUSED);
        return new MemoryPlan(BYTES, slots, schedule, values);
    }

    /** The bytes of an arena that {@code ConformanceTopic.openValues} opened. */
    public static byte[] filled() {
        return TestData.filled(BYTES + 16, 0x55);
    }

    /** A plan of one value at the beginning. */
    public static MemoryPlan single(DType dtype, int elements) {
        int bytes = elements * dtype.bytes();
        return plan(bytes, List.of(new Typed(of(dtype), name(dtype), 0, bytes, dtype, elements)));
    }

    /** A value with a type: where its slot is, and how many elements it has. */
    record Typed(NodeId id, String name, int offset, int slot, DType dtype, long elements) {
        PlanValue value() {
            return new PlanValue(name, NodeRole.PARAMETER, dtype, List.of(elements), Optional.empty());
        }
    }

    static MemoryPlan plan(long size, List<Typed> typed) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (Typed one : typed) {
            slots.put(one.id, new BufferSlot(one.offset, one.slot));
            values.put(one.id, one.value());
        }
        return new MemoryPlan(size, slots, List.copyOf(slots.keySet()), values);
    }
}
