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
        for (GraphValue value : CheckedGraph.of(graph, options).values) {
            boolean shared = value.root.node.role().isShared();
            if (shared
                    && value.node.role().isShared()
                    && !plan.slot(value.id).equals(arena.slot(value.id))) {
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
            boolean isWhole = slot.end() <= segments.end(segment);
            if (!isWhole && (slot.size() <= most || slot.offset() != segments.start(segment))) {
                throw new InvalidPlanException(name + ": expected " + id + " within a segment of the arena, which ends"
                        + " at " + segments.end(segment) + ", got " + describe(plan, id));
            }
        });
    }

    /** Checks the plan of a phase against the plan of all phases. */
    static void phase(String name, MemoryPlan part, MemoryPlan whole, PhasedGraph graph, PlanOptions options) {
        PlanGraph phase = graph.phases().get(name);
        if (phase == null) {
            throw new InvalidPlanException(
                    name + ": expected one of the phases " + graph.phases().keySet());
        }
        CheckedGraph checked = CheckedGraph.of(phase, options);
        if (part.arenaSize() != whole.arenaSize()) {
            throw new InvalidPlanException(name + ": expected an arena of " + whole.arenaSize()
                    + " bytes as the whole plan has, got " + part.arenaSize());
        }
        checked.inOrder(part.schedule());
        for (GraphValue value : checked.values) {
            if (!part.slot(value.id).equals(whole.slot(value.id))) {
                throw new InvalidPlanException(name + ": expected " + value.id + " in the slot of the whole plan, "
                        + describe(whole, value.id) + ", got " + describe(part, value.id));
            }
        }
        List<NodeId> ops = whole.schedule().stream().filter(checked::makes).toList();
        if (!part.schedule().stream().filter(checked::makes).toList().equals(ops)) {
            throw new InvalidPlanException(name + ": expected ops in the order of the whole plan, got another one");
        }
    }

    /** Checks that no op of a phase runs after one of a later phase. */
    static void order(List<NodeId> schedule, PhasedGraph graph, PlanOptions options) {
        Map<NodeId, Integer> phases = new LinkedHashMap<>();
        List<String> names = List.copyOf(graph.phases().keySet());
        for (int i = 0; i < names.size(); i++) {
            for (GraphValue value : CheckedGraph.of(graph.phases().get(names.get(i)), options).values) {
                if (!value.persistent) {
                    phases.putIfAbsent(value.id, i);
                }
            }
        }
        int reached = 0;
        NodeId last = NodeId.of(0);
        for (NodeId id : schedule) {
            int phase = phases.getOrDefault(id, reached);
            if (phase < reached) {
                throw new InvalidPlanException(id + ": expected all of the phase '" + names.get(phase)
                        + "' to run before the phase '" + names.get(reached) + "', got it after " + last);
            }
            if (phases.containsKey(id)) {
                reached = phase;
                last = id;
            }
        }
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
        for (GraphValue value : CheckedGraph.of(graph, options).values) {
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
