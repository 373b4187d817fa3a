package io.devicearena.conformance.sequence;

import io.devicearena.ArenaLimits;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.SegmentLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan in few words.
 *
 * @param bytes the plan's size
 * @param values values 1, 2 and so on
 * @param more so many further values of 4 bytes, one after the other up to the end of the plan
 */
record Layout(long bytes, List<Value> values, int more) {
    private static final int SMALL = 4;

    /** Leaves out what does not fit. */
    Layout {
        long room = bytes;
        values = values.stream().filter(value -> value.end() <= room).toList();
        more = (int) Math.min(more, bytes / SMALL);
    }

    /**
     * A value. Of a type that the plan knows it has fewer elements than its slot holds, where that holds several.
     *
     * @param offset where its slot begins
     * @param slot bytes of its slot
     * @param dtype the type that the plan knows, or null for none
     */
    record Value(long offset, long slot, @Nullable DType dtype) {
        /** Bytes that typed writes may change, and that reads return before a length was set. */
        long bytes() {
            return dtype == null ? slot : elements(dtype) * dtype.bytes();
        }

        private long elements(DType type) {
            long most = slot / type.bytes();
            return most - most / 4;
        }

        long end() {
            return offset + slot;
        }
    }

    /** A plan with values of no type, which begin and end at pairs of offsets. */
    static Layout of(long bytes, long... ends) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            values.add(new Value(ends[i], ends[i + 1] - ends[i], null));
        }
        return new Layout(bytes, values, 0);
    }

    int count() {
        return values.size() + more;
    }

    Value value(int index) {
        return index < values.size()
                ? values.get(index)
                : new Value(bytes - (long) SMALL * (count() - index), SMALL, null);
    }

    static NodeId id(int index) {
        return NodeId.of(index + 1L);
    }

    MemoryPlan plan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> known = new LinkedHashMap<>();
        for (int i = 0; i < count(); i++) {
            Value value = value(i);
            slots.put(id(i), new BufferSlot(value.offset, value.slot));
            if (value.dtype != null) {
                List<Long> shape = List.of(value.elements(value.dtype));
                String name = "value " + (i + 1);
                known.put(id(i), new PlanValue(name, NodeRole.PARAMETER, value.dtype, shape, Optional.empty()));
            }
        }
        return new MemoryPlan(bytes, slots, List.of(), known);
    }

    /** The same plan as far as a device can hold its values within segments. */
    Layout within(ArenaLimits limits, long size) {
        Layout fitting = this;
        while (!fitting.values.isEmpty()
                && !SegmentLayout.exists(
                        fitting.plan().slots(), size, limits.maxSegmentBytes(), limits.alignmentBytes())) {
            fitting = new Layout(bytes, fitting.values.subList(0, fitting.values.size() - 1), more);
        }
        return fitting;
    }

    /** The same values as far as they fit the memory of an arena. */
    Layout within(SegmentLayout segments, long room, long largest) {
        List<Value> fitting = values.stream()
                .filter(value -> {
                    int segment = segments.indexOf(Math.min(value.offset, segments.end(segments.count() - 1) - 1));
                    boolean isLarge = value.slot > largest && value.offset == segments.start(segment);
                    return value.end() <= segments.end(segment) || isLarge;
                })
                .toList();
        return new Layout(Math.min(bytes, room), fitting, 0); // without those past its end
    }

    /** Writes the plan down; its variable. */
    String write(Journal journal) {
        String plan = journal.next("plan");
        journal.add("Map<NodeId, BufferSlot> %sSlots = new LinkedHashMap<>();", plan);
        journal.add("Map<NodeId, PlanValue> %sValues = new LinkedHashMap<>();", plan);
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            journal.add("%sSlots.put(%s, new BufferSlot(%s, %s));", plan, id(i), value.offset, value.slot);
            if (value.dtype != null) {
                String known = "new PlanValue(\"value\", NodeRole.PARAMETER, %s, List.of(%s), Optional.empty())";
                long elements = value.elements(value.dtype);
                journal.add("%sValues.put(%s, " + known + ");", plan, id(i), value.dtype, elements);
            }
        }
        if (more > 0) {
            journal.open("}", "for (int i = 0; i < %s; i++) {", more);
            String slot = "NodeId.of(%s + i), new BufferSlot(%s + " + SMALL + " * i, " + SMALL + ")";
            journal.add("%sSlots.put(" + slot + ");", plan, count() - more + 1, bytes - (long) SMALL * more);
            journal.close();
        }
        journal.add("MemoryPlan %1$s = new MemoryPlan(%2$s, %1$sSlots, List.of(), %1$sValues);", plan, bytes);
        return plan;
    }
}
