package io.devicearena.checks;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a plan, and how far its current run is. All arenas that are opened with the plan on one memory share
 * it.
 *
 * <p>Threads: one thread at a time.
 */
final class CheckedPlan {
    private final MemoryPlan plan;
    private final Map<NodeId, CheckedValue> values = new LinkedHashMap<>();
    /** The position of the first op, at which a run begins. */
    private final int first;

    private long run;
    /** The last position of the schedule that this run has reached. */
    private int reached = -1;

    private @Nullable CheckedValue last;
    private List<CheckedValue> previous = List.of();

    CheckedPlan(MemoryPlan plan) {
        this.plan = plan;
        Map<NodeId, Integer> positions = new HashMap<>();
        plan.schedule().forEach(id -> positions.put(id, positions.size()));
        plan.slots()
                .forEach((id, slot) -> values.put(
                        id, new CheckedValue(this, id, slot, plan.values().get(id), positions.getOrDefault(id, -1))));
        values.values().forEach(this::connect);
        this.first = values.values().stream()
                .filter(CheckedPlan::isCertainlyAnOp)
                .mapToInt(CheckedValue::position)
                .min()
                .orElse(-1);
    }

    private void connect(CheckedValue value) {
        PlanValue known = plan.values().get(value.id());
        CheckedValue parent =
                known == null ? null : known.partOf().map(values::get).orElse(null);
        if (parent != null) {
            value.setParent(parent);
        }
    }

    /** A view comes behind its parent and executes nothing; a part comes before the concatenation that it lies in. */
    private static boolean isCertainlyAnOp(CheckedValue value) {
        CheckedValue parent = value.parent();
        return value.isComputed()
                && value.position() >= 0
                && (parent == null || (parent.isComputed() && parent.position() > value.position()));
    }

    int size() {
        return values.size();
    }

    Collection<CheckedValue> values() {
        return values.values();
    }

    /** The value, or null if it has no slot. */
    @Nullable CheckedValue find(NodeId id) {
        return values.get(id);
    }

    /** Whether the plan knows a value, with a slot or without. */
    boolean knows(NodeId id) {
        return values.containsKey(id)
                || plan.values().containsKey(id)
                || plan.schedule().contains(id);
    }

    String describe(NodeId id) {
        return plan.describe(id);
    }

    /** The number of the current run. */
    long run() {
        return run;
    }

    /** The values that lie at a byte, padding of their slots included. */
    List<CheckedValue> at(long offset) {
        List<CheckedValue> found = new ArrayList<>();
        for (CheckedValue value : values.values()) {
            if (value.begin() <= offset && offset < value.slotEnd()) {
                found.add(value);
            }
        }
        return found;
    }

    /** The first byte behind another one at which a slot begins or ends. */
    long boundaryAfter(long offset, long end) {
        long next = end;
        for (BufferSlot slot : plan.slots().values()) {
            if (slot.offset() > offset) {
                next = Math.min(next, slot.offset());
            }
            if (slot.end() > offset) {
                next = Math.min(next, slot.end());
            }
        }
        return next;
    }

    /** Whether a step that writes values begins a new run. */
    boolean beginsRun(List<CheckedValue> written) {
        for (CheckedValue value : written) {
            if (value.isComputed() && value.position() >= 0 && value.position() <= first && !previous.contains(value)) {
                return true;
            }
        }
        return false;
    }

    /** The first value that a step writes too late in this run, or null. */
    @Nullable CheckedValue late(List<CheckedValue> written) {
        if (!beginsRun(written)) {
            for (CheckedValue value : written) {
                if (value.isComputed()
                        && value.position() >= 0
                        && value.position() < reached
                        && !previous.contains(value)) {
                    return value;
                }
            }
        }
        return null;
    }

    /** The value that was written last in this run, by the schedule; null for none. */
    @Nullable CheckedValue last() {
        return last;
    }

    /** The op at which a run begins, or null if the plan does not know it. */
    @Nullable NodeId firstOp() {
        return first < 0 ? null : plan.schedule().get(first);
    }

    int scheduled() {
        return plan.schedule().size();
    }

    /** Notes that a step runs which writes values. */
    void advance(List<CheckedValue> written) {
        if (beginsRun(written)) {
            run++;
            reached = -1;
        }
        boolean computes = false;
        for (CheckedValue value : written) {
            computes |= value.isComputed();
            if (value.isComputed() && value.position() > reached) {
                reached = value.position();
                last = value;
            }
        }
        if (computes) {
            previous = written;
        }
    }
}
