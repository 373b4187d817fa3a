package io.devicearena.diagnostics.internal.checks;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
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

    /** When the current run began, as the memory counts; -1 before the first one. */
    private long began = -1;
    /** When the last step of the run before ended, and when that run began. */
    private long endBefore;

    private long begunBefore;
    /** The last position of the schedule that the run before has reached; -1 if a finding ended it. */
    private int reachedBefore = -1;

    /** The position of the first step of this run, and the last one that it has reached. */
    private int start;

    private int reached = -1;
    /** When the last step of this run ended. */
    private long latest;
    /** Whether a step of this run had a finding, or threw: the next step may begin a new one. */
    private boolean broken;

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

    /** When the current run began, as the memory counts; -1 before the first one. */
    long began() {
        return began;
    }

    /** When the last step of the run before ended; 0 for none. */
    long endBefore() {
        return endBefore;
    }

    /** When the run before began; 0 for none. */
    long begunBefore() {
        return begunBefore;
    }

    /** The last position of the schedule that the run before has reached; -1 for none, or if a finding ended it. */
    int reachedBefore() {
        return reachedBefore;
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

    /**
     * Whether a step begins a new run: it makes a value that this run has already, or one before all of them although
     * this run is complete. An engine may leave out ops that nothing reads, so a run begins where the last one did, or
     * at any op that reads no value of a run.
     */
    boolean beginsRun(List<CheckedValue> written, boolean readsComputed) {
        for (CheckedValue value : written) {
            if (isBehind(value)) {
                return broken
                        || (isOfThisRun(value)
                                ? value.position() <= start || !readsComputed
                                : value.position() < start && isComplete());
            }
        }
        return began < 0;
    }

    /** Whether a step that writes a value comes after one that the schedule has later. */
    private boolean isBehind(CheckedValue value) {
        return value.isScheduled() && value.position() < reached && !previous.contains(value);
    }

    private boolean isOfThisRun(CheckedValue value) {
        return began >= 0 && value.written() >= began;
    }

    /** Whether this run is complete, and has come as far as the run before. */
    boolean isAtEnd() {
        return reached >= reachedBefore && isComplete();
    }

    /** Whether this run has made all outputs, or what the schedule has last. */
    private boolean isComplete() {
        List<CheckedValue> outputs = values.values().stream()
                .filter(value -> value.role() == NodeRole.OUTPUT && isCertainlyAnOp(value))
                .toList();
        return outputs.isEmpty()
                ? reached
                        == values.values().stream()
                                .mapToInt(CheckedValue::position)
                                .max()
                                .orElse(-1)
                : outputs.stream().allMatch(this::isOfThisRun);
    }

    /** The first value that a step writes too late in this run, or null. */
    @Nullable CheckedValue late(List<CheckedValue> written, boolean readsComputed) {
        return beginsRun(written, readsComputed)
                ? null
                : written.stream().filter(this::isBehind).findFirst().orElse(null);
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
    void advance(List<CheckedValue> written, boolean readsComputed, long time) {
        List<CheckedValue> made =
                written.stream().filter(CheckedValue::isScheduled).toList();
        if (made.isEmpty()) {
            return;
        }
        if (beginsRun(made, readsComputed)) {
            endBefore = latest;
            begunBefore = Math.max(began, 0);
            reachedBefore = broken ? -1 : reached;
            began = time;
            start = made.stream().mapToInt(CheckedValue::position).min().getAsInt();
            reached = -1;
            broken = false;
        }
        for (CheckedValue value : made) {
            if (value.position() > reached) {
                reached = value.position();
                last = value;
            }
        }
        latest = time;
        previous = made;
    }

    /** Notes that the step under way had a finding, or threw. */
    void breakRun() {
        broken = true;
    }
}
