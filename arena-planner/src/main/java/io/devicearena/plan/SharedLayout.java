package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where parameters, constants and states are: one behind the other at the start of the arena, in the order in which
 * they first appear, and the same in all graphs that share them. Separate weights begin an arena of their own.
 *
 * <p>In a family of graphs, the region behind it is divided into cells that no value crosses. Segments end between
 * cells, whatever the graphs have there, so a graph that is added later has the same segments.
 */
final class SharedLayout {
    private final PlanOptions options;
    private final long cell; // bytes, 0 for none
    private final Map<NodeId, Shared> values = new LinkedHashMap<>();
    private final BumpAllocator weights;
    private final BumpAllocator states; // the same one unless weights are separate

    private record Shared(String graph, PlanValue value, BufferSlot slot, boolean isSeparate) {}

    SharedLayout(PlanOptions options, boolean inFamily) {
        this.options = options;
        long segment = options.segmentBytes();
        this.cell = inFamily ? segment - segment % Math.max(1, options.boundary()) : 0;
        this.weights = new BumpAllocator(0, options.boundary());
        this.states = options.separateWeights() ? new BumpAllocator(0, options.boundary()) : weights;
    }

    /** Adds the shared values of a graph that are not there yet. */
    void add(String name, SlotSizes sizes) {
        ArrayGraph graph = sizes.graph();
        for (int i = 0; i < graph.count(); i++) {
            if (isPart(graph, i) && !values.containsKey(graph.id(i))) {
                boolean isSeparate = isSeparate(graph, i);
                BufferSlot slot = graph.isView(i)
                        ? view(sizes, i)
                        : (isSeparate ? weights : states).allocate(graph.name(i), sizes.slot(i));
                values.put(graph.id(i), new Shared(name, GraphPlanner.value(graph, i, options), slot, isSeparate));
            }
        }
    }

    /** Whether a value must be the same in all graphs. Views of separate weights are, since they lie beside them. */
    private boolean isPart(ArrayGraph graph, int i) {
        return (graph.isShared(i) && graph.isShared(graph.root(i))) || isSeparate(graph, i);
    }

    private boolean isSeparate(ArrayGraph graph, int i) {
        return options.separateWeights() && graph.isWeight(i);
    }

    private BufferSlot view(SlotSizes sizes, int i) {
        return new BufferSlot(offset(sizes.graph().id(sizes.graph().root(i))) + sizes.offsetInRoot(i), sizes.slot(i));
    }

    /**
     * Requires that a graph and the others have the same shared values.
     *
     * @throws InvalidGraphException if the layout has not one of them, or it is another value in another graph
     */
    void requireAgreement(String name, SlotSizes sizes) {
        ArrayGraph graph = sizes.graph();
        for (int i = 0; i < graph.count(); i++) {
            Shared there = values.get(graph.id(i));
            if (there == null && !isPart(graph, i)) {
                continue;
            }
            PlanValue here = GraphPlanner.value(graph, i, options);
            if (there == null) {
                throw new InvalidGraphException("graph '" + name + "': expected shared values that the family has, got "
                        + graph.name(i) + " of role " + here.role() + "; plan all graphs anew");
            }
            boolean agrees = isPart(graph, i)
                    ? isSame(here, there.value())
                            && (graph.isView(i) ? view(sizes, i) : there.slot()).equals(there.slot())
                    : !there.value().role().isShared();
            if (!agrees) {
                throw new InvalidGraphException(graph.name(i) + ": expected one value in all graphs, got "
                        + describe(there.value()) + " in '" + there.graph() + "' and " + describe(here) + " in '" + name
                        + "'; make them the same, or give one another id");
            }
        }
    }

    private static boolean isSame(PlanValue one, PlanValue other) {
        boolean isShared = one.role().isShared() || other.role().isShared();
        return (one.role() == other.role() || !isShared)
                && one.dtype() == other.dtype()
                && one.elements() == other.elements();
    }

    private static String describe(PlanValue value) {
        return value.elements() + " elements of " + value.dtype().label() + ", role " + value.role()
                + value.partOf().map(parent -> ", a part of " + parent).orElse("");
    }

    /** Where a shared value begins, in its arena. */
    long offset(NodeId id) {
        return Objects.requireNonNull(values.get(id), "value of the layout")
                .slot()
                .offset();
    }

    /** The first byte behind the shared values in the arena of the graphs. */
    long end() {
        return states.end();
    }

    /** The bytes of which no other value crosses a multiple, counted from {@link #limitStart}; 0 for none. */
    long limit() {
        return options.boundary() == 0 ? cell : options.boundary();
    }

    long limitStart() {
        return cell > 0 && options.boundary() == 0 ? end() : 0;
    }

    /** The size of segments that may end wherever a graph has no value; 0 for none. */
    long freeSegmentBytes() {
        return cell > 0 ? 0 : options.segmentBytes();
    }

    /** Whether a plan is smaller than another one, or opens where the other one does not. */
    boolean isBetter(MemoryPlan plan, MemoryPlan other) {
        return opens(plan) == opens(other) ? plan.arenaSize() < other.arenaSize() : opens(plan);
    }

    /** Whether each value of a plan, parts of others included, lies within a segment that can hold it. */
    boolean opens(MemoryPlan plan) {
        return cell == 0
                ? options.segmentBytes() == 0
                        || SegmentLayout.exists(
                                plan.slots(), plan.arenaSize(), options.segmentBytes(), options.alignment())
                : plan.slots().values().stream().allMatch(slot -> slot.end() <= end() || isInCell(slot));
    }

    /** Whether a value crosses no multiple of the cells, or begins at one if it is larger than a segment. */
    private boolean isInCell(BufferSlot slot) {
        long before = (slot.offset() - limitStart()) % cell;
        return before == 0 || (slot.size() <= options.segmentBytes() && before + slot.size() <= cell);
    }

    /**
     * Requires that a plan opens; {@link FamilyPlan} checks those of families.
     *
     * @throws InvalidGraphException if a value is larger than a segment and does not begin where one can begin, or a
     *     part of a larger value crosses the end of one however that is divided
     */
    void requireSegments(MemoryPlan plan) {
        if (cell == 0 && options.segmentBytes() > 0) {
            try {
                SegmentLayout.of(plan.slots(), plan.arenaSize(), options.segmentBytes(), options.alignment());
            } catch (IllegalArgumentException e) {
                String problem = String.valueOf(e.getMessage());
                InvalidGraphException refused = new InvalidGraphException(problem.substring(0, problem.indexOf(';'))
                        + "; make it a copy in place of a view, or what it shows no larger than a segment");
                refused.initCause(e);
                throw refused;
            }
        }
    }

    /** The plan of the separate weights. */
    MemoryPlan weights() {
        return plan(weights.end(), true, Map.of());
    }

    /** The plan of the shared values in the arena of graphs, with slots that keep segments from ending elsewhere. */
    MemoryPlan shared(long arenaBytes, Collection<PlacedGraph> members) {
        Set<NodeId> used = new HashSet<>(values.keySet());
        Set<BufferSlot> others = new LinkedHashSet<>();
        if (cell > 0) {
            members.forEach(member -> used.addAll(member.plan().schedule()));
            members.forEach(member -> member.plan().slots().forEach((id, slot) -> {
                if (slot.end() <= end() && !values.containsKey(id)) {
                    others.add(slot); // a view of a shared value
                }
            }));
            for (long from = end(), to; from < arenaBytes; from = to) {
                to = Math.min(arenaBytes, from + cell - (from - limitStart()) % cell);
                others.add(new BufferSlot(from, to - from));
            }
        }
        Map<NodeId, BufferSlot> named = new LinkedHashMap<>();
        long id = Long.MAX_VALUE; // and below: no other values have such numbers
        for (BufferSlot slot : others) {
            while (!used.add(NodeId.of(id))) {
                id--;
            }
            named.put(NodeId.of(id), slot);
        }
        return plan(arenaBytes, false, named);
    }

    private MemoryPlan plan(long arenaBytes, boolean isSeparate, Map<NodeId, BufferSlot> others) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(others);
        Map<NodeId, PlanValue> known = new LinkedHashMap<>();
        values.forEach((id, shared) -> {
            if (shared.isSeparate() == isSeparate) {
                slots.put(id, shared.slot());
                known.put(id, shared.value());
            }
        });
        return new MemoryPlan(arenaBytes, slots, List.of(), known);
    }
}
