package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.SlotSharing;
import io.devicearena.plan.size.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A graph whose slots have offsets, at the upper bounds of its free dimensions. At smaller sizes each slot begins where
 * it does, and the values in it are smaller. Only what lies behind others in a slot moves with them: views, and parts
 * of concatenations.
 */
final class PlacedGraph {
    private final SlotSizes sizes;
    private final Map<String, Dimension> dimensions;
    private final SlotSharing sharing;
    private final long[] offsets; // of the values that own slots
    private final PlanOptions options;
    private final SharedLayout layout;
    private final PlanResult result;

    PlacedGraph(
            SlotSizes sizes,
            SlotSharing sharing,
            long[] offsets,
            long lowerBound,
            PlanOptions options,
            SharedLayout layout) {
        this.sizes = sizes;
        this.dimensions = SizedGraph.dimensions(sizes.graph());
        this.sharing = sharing;
        this.offsets = offsets;
        this.options = options;
        this.layout = layout;
        this.result = result(sizes, lowerBound);
    }

    /** The plan at the upper bounds. */
    PlanResult result() {
        return result;
    }

    MemoryPlan plan() {
        return result.plan();
    }

    /** Whether some sizes are those of all dimensions. */
    boolean covers(Map<String, Long> given) {
        return given.keySet().equals(dimensions.keySet())
                && dimensions.values().stream().allMatch(each -> each.has(given.getOrDefault(each.name(), -1L)));
    }

    /** The plan at a size of each dimension. */
    PlanResult at(Map<String, Long> given) {
        if (!given.keySet().equals(dimensions.keySet())) {
            throw new IllegalArgumentException(
                    "sizes: expected one for each of " + dimensions.keySet() + ", got " + given.keySet());
        }
        SlotSizes at = sizes.of(sizes.graph().at(given));
        return result(at, new GraphPlanner(at, options, layout).lowerBound());
    }

    private PlanResult result(SlotSizes at, long lowerBound) {
        ArrayGraph graph = at.graph();
        long[] inSlot = sharing.offsets(at);
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(graph.count());
        Map<NodeId, PlanValue> values = LinkedHashMap.newLinkedHashMap(graph.count());
        List<NodeId> schedule = new ArrayList<>(graph.count());
        List<LiveBuffer> buffers = new ArrayList<>(graph.count());
        long arenaSize = layout.end();
        for (int i = 0; i < graph.count(); i++) {
            NodeId id = graph.id(i);
            schedule.add(id);
            if (GraphPlanner.isLeftOut(graph, i, options)) {
                continue;
            }
            values.put(id, GraphPlanner.value(graph, i, options));
            if (!graph.isFused(i)) {
                int root = graph.root(i);
                long offset = offsets[sharing.owner(root)] + inSlot[root] + at.offsetInRoot(i);
                BufferSlot slot = new BufferSlot(offset, sharing.isPart(root) ? at.packed(i) : at.slot(i));
                buffers.add(new LiveBuffer(id, sharing.firstStep(i), sharing.endStep(i), slot.size()));
                slots.put(id, slot);
                arenaSize = Math.max(arenaSize, slot.end());
            }
        }
        sharing.aliases().stream()
                .filter(SlotSharing.Alias::inConcatenation)
                .forEach(alias -> values.computeIfPresent(
                        graph.id(alias.value()), (id, value) -> partOf(value, graph.id(alias.host()))));
        MemoryPlan plan = new MemoryPlan(arenaSize, slots, schedule, values);
        List<SlotAlias> aliases =
                sharing.aliases().stream().map(alias -> alias(graph, alias)).toList();
        return new PlanResult(plan, buffers, lowerBound, options.strategy().name(), aliases);
    }

    private static PlanValue partOf(PlanValue value, NodeId whole) {
        return new PlanValue(value.name(), value.role(), value.dtype(), value.shape(), Optional.of(whole));
    }

    private static SlotAlias alias(ArrayGraph graph, SlotSharing.Alias alias) {
        return new SlotAlias(
                graph.id(alias.value()),
                graph.id(alias.host()),
                alias.inConcatenation() ? SlotAlias.Reason.CONCATENATION : SlotAlias.Reason.IN_PLACE);
    }
}
