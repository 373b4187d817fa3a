package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PhasedGraph;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks what holds between plans: those of graphs in one arena, of phases of one graph, and of separate weights. */
final class FamilyCheck {
    private FamilyCheck() {}

    /** Checks the plan of a graph against the plan of its arena, which has the slots of all shared values. */
    static void member(String name, MemoryPlan plan, MemoryPlan arena, PlanGraph graph, PlanOptions options) {
        if (plan.arenaSize() > arena.arenaSize()) {
            throw new InvalidPlanException(name + ": expected at most the " + arena.arenaSize()
                    + " bytes of the arena, got " + plan.arenaSize());
        }
        long sharedEnd = arena.values().keySet().stream()
                .flatMap(id -> arena.slot(id).stream())
                .mapToLong(BufferSlot::end)
                .max()
                .orElse(0);
        for (GraphValue value : new CheckedGraph(graph, options).values) {
            boolean shared = value.root.node.role().isShared();
            if (shared && value.node.role().isShared() && !plan.slot(value.id).equals(arena.slot(value.id))) {
                throw new InvalidPlanException(name + ": expected " + value.id + " in the slot of the family, "
                        + describe(arena, value.id) + ", got " + describe(plan, value.id));
            }
            BufferSlot slot = plan.slots().get(value.id);
            if (!shared && slot != null && slot.size() > 0 && slot.offset() < sharedEnd) {
                throw new InvalidPlanException(name + ": expected " + value.id + " behind the " + sharedEnd
                        + " bytes of shared values, got " + describe(plan, value.id));
            }
        }
        if (options.segmentBytes() > 0) {
            segments(name, plan, arena, options);
        }
    }

    private static void segments(String name, MemoryPlan plan, MemoryPlan arena, PlanOptions options) {
        long most = options.segmentBytes();
        SegmentLayout segments = SegmentLayout.of(arena.slots(), arena.arenaSize(), most, options.alignment());
        plan.slots().forEach((id, slot) -> {
            int segment = segments.indexOf(slot.offset());
            boolean begins = slot.size() > most && slot.offset() == segments.start(segment);
            if (slot.end() > segments.end(segment) && !begins) {
                throw new InvalidPlanException(name + ": expected " + id + " within a segment of the arena, which ends"
                        + " at " + segments.end(segment) + ", got " + describe(plan, id));
            }
        });
    }

    /** Checks the plan of a phase against the plan of all phases. */
    static void phase(String name, MemoryPlan part, MemoryPlan whole, PhasedGraph graph, PlanOptions options) {
        CheckedGraph all = new CheckedGraph(graph, options);
        CheckedGraph phase =
                new CheckedGraph(Objects.requireNonNull(graph.phases().get(name), name), options);
        phase.inOrder(part.schedule());
        if (part.arenaSize() != whole.arenaSize()) {
            throw new InvalidPlanException(name + ": expected an arena of " + whole.arenaSize()
                    + " bytes as the whole plan has, got " + part.arenaSize());
        }
        for (GraphValue value : phase.values) {
            if (!part.slot(value.id).equals(whole.slot(value.id)) || !all.has(value)) {
                throw new InvalidPlanException(name + ": expected " + value.id + " in the slot of the whole plan, "
                        + describe(whole, value.id) + ", got " + describe(part, value.id));
            }
        }
        if (!ops(part, phase).equals(ops(whole, phase))) {
            throw new InvalidPlanException(name + ": expected ops in the order of the whole plan, got another one");
        }
    }

    /** Checks that all ops of a phase run before those of the next one. */
    static void order(MemoryPlan plan, PhasedGraph graph, PlanOptions options) {
        List<NodeId> expected = graph.phases().values().stream()
                .flatMap(phase -> ops(plan, new CheckedGraph(phase, options)).stream())
                .toList();
        List<NodeId> ops = ops(plan, new CheckedGraph(graph, options));
        for (int i = 0; i < ops.size(); i++) {
            if (!ops.get(i).equals(expected.get(i))) {
                throw new InvalidPlanException("phases: expected one after another, " + expected.get(i) + " as op " + i
                        + ", got " + ops.get(i));
            }
        }
    }

    private static List<NodeId> ops(MemoryPlan plan, CheckedGraph graph) {
        return plan.schedule().stream().filter(graph::makes).toList();
    }

    /**
     * The plan of one arena that has separate weights and then the values of a graph. Offsets in both keep their
     * remainders, and no other value can have the bytes of the weights.
     */
    static MemoryPlan together(MemoryPlan weights, MemoryPlan plan, PlanGraph graph, PlanOptions options) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(weights.slots());
        long unit = options.boundary() > 0 ? options.boundary() : options.alignment();
        long begin = (weights.arenaSize() + unit - 1) / unit * unit;
        plan.slots().forEach((id, slot) -> slots.put(id, new BufferSlot(begin + slot.offset(), slot.size())));
        for (GraphValue value : new CheckedGraph(graph, options).values) {
            if (value.isWeight() && plan.slot(value.id).isPresent()) {
                throw new InvalidPlanException(value.name
                        + ": expected a slot in the plan of the weights only, got one in the plan of the graph, "
                        + describe(plan, value.id));
            }
            if (!value.isWeight() && plan.slot(value.id).isEmpty()) {
                slots.remove(value.id); // of another graph
            }
        }
        return new MemoryPlan(begin + plan.arenaSize(), slots, plan.schedule());
    }

    private static String describe(MemoryPlan plan, NodeId id) {
        return plan.slot(id)
                .map(slot -> slot.size() + " bytes at " + slot.offset())
                .orElse("none");
    }
}
