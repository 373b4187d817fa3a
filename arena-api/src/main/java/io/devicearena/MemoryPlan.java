package io.devicearena;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where every value of a graph lives inside one arena, and in which order the values are made.
 *
 * <p>A plan knows offsets, not lifetimes: slots may share bytes, since values that are never live together may. Whether
 * a plan is right for a graph is what the validator of the module {@code arena-planner} checks.
 *
 * <p>The iteration order of {@link #slots} is stable: scheduled values in the order of the schedule, then the others by
 * ascending number, for any order of the map that was passed. {@link #values} has the same order. Two plans are equal
 * when size, slots, schedule and values are.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param arenaSize bytes of the arena that the plan needs, 0 or more, at least the end of every slot
 * @param slots the slot of each value that has one; a value whose op was fused away has none
 * @param schedule every value in execution order, without repetition; may be empty in a plan made by hand
 * @param values name, role, type and shape of values; an arena holds typed access to what is known here. May be empty
 *     in a plan made by hand
 */
public record MemoryPlan(
        long arenaSize, Map<NodeId, BufferSlot> slots, List<NodeId> schedule, Map<NodeId, PlanValue> values) {
    /**
     * Makes a plan; the map and the list are copied.
     *
     * @throws IllegalArgumentException if {@code arenaSize} is negative, a slot ends past it or is too small for its
     *     value, or a value is scheduled twice
     */
    public MemoryPlan {
        if (arenaSize < 0) {
            throw new IllegalArgumentException("arena size: expected 0 or more bytes, got " + arenaSize);
        }
        Objects.requireNonNull(slots, "slots");
        schedule = List.copyOf(schedule);
        Objects.requireNonNull(values, "values");
        requireOnce(schedule);
        slots = inStableOrder("slots", slots, schedule);
        values = inStableOrder("values", values, schedule);
        for (Map.Entry<NodeId, BufferSlot> entry : slots.entrySet()) {
            BufferSlot slot = entry.getValue();
            if (slot.end() > arenaSize) {
                throw new IllegalArgumentException(entry.getKey() + ": expected a slot within the arena of " + arenaSize
                        + " bytes, got offset " + slot.offset() + " + size " + slot.size() + " = " + slot.end());
            }
            PlanValue value = values.get(entry.getKey());
            if (value != null && value.bytes() > slot.size()) {
                throw new IllegalArgumentException(entry.getKey() + ": expected a slot of at least the " + value.bytes()
                        + " bytes of its value, got " + slot.size());
            }
        }
    }

    /**
     * Makes a plan that knows only where values are.
     *
     * @param arenaSize bytes of the arena that the plan needs, 0 or more, at least the end of every slot
     * @param slots the slot of each value that has one
     * @param schedule every value in execution order, without repetition
     * @throws IllegalArgumentException if {@code arenaSize} is negative, a slot ends past it, or a value is scheduled
     *     twice
     */
    public MemoryPlan(long arenaSize, Map<NodeId, BufferSlot> slots, List<NodeId> schedule) {
        this(arenaSize, slots, schedule, Map.of());
    }

    private static void requireOnce(List<NodeId> schedule) {
        Set<NodeId> scheduled = HashSet.newHashSet(schedule.size());
        for (NodeId id : schedule) {
            if (!scheduled.add(id)) {
                throw new IllegalArgumentException(id + ": expected once in the schedule, got it twice");
            }
        }
    }

    private static <T> Map<NodeId, T> inStableOrder(String name, Map<NodeId, T> given, List<NodeId> schedule) {
        given.forEach((id, entry) -> {
            Objects.requireNonNull(id, () -> name + ": null key");
            Objects.requireNonNull(entry, () -> name + ": null value");
        });
        LinkedHashMap<NodeId, T> ordered = LinkedHashMap.newLinkedHashMap(given.size());
        for (NodeId id : schedule) {
            T entry = given.get(id);
            if (entry != null) {
                ordered.put(id, entry);
            }
        }
        if (ordered.size() < given.size()) {
            new TreeMap<>(given).forEach(ordered::putIfAbsent);
        }
        return Collections.unmodifiableMap(ordered);
    }

    /**
     * {@return the slot of a value, or empty when it has none (its op was fused away, or the plan does not know it)}
     *
     * @param id the value
     */
    public Optional<BufferSlot> slot(NodeId id) {
        return Optional.ofNullable(slots.get(Objects.requireNonNull(id, "id")));
    }

    /**
     * {@return what the plan knows of a value beside its slot, or empty if it knows nothing}
     *
     * @param id the value
     */
    public Optional<PlanValue> value(NodeId id) {
        return Optional.ofNullable(values.get(Objects.requireNonNull(id, "id")));
    }

    /**
     * {@return a value as messages write it: its number, and its name where the plan knows one}
     *
     * @param id the value
     */
    public String describe(NodeId id) {
        PlanValue value = values.get(id);
        return value == null || value.name().isBlank() || value.name().equals(id.toString())
                ? id.toString()
                : id + " '" + value.name() + "'";
    }

    /**
     * {@return what the values would take if no two of them shared a byte} The sum of all slot sizes, views included,
     * in bytes; {@link Long#MAX_VALUE} when the sum is larger.
     */
    public long totalUnsharedBytes() {
        long total = 0;
        for (BufferSlot slot : slots.values()) {
            if (slot.size() > Long.MAX_VALUE - total) {
                return Long.MAX_VALUE;
            }
            total += slot.size();
        }
        return total;
    }

    /** {@return what sharing saves, in bytes; negative for a plan with more padding than reuse} */
    public long bytesSaved() {
        return totalUnsharedBytes() - arenaSize;
    }

    /** Returns the plan's totals; the module {@code arena-planner} writes and reads its full text. */
    @Override
    public String toString() {
        return "MemoryPlan[arenaSize=" + arenaSize + ", slots=" + slots.size() + ", scheduled=" + schedule.size() + "]";
    }
}
