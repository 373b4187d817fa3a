package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.recording.PlanEvent;
import io.devicearena.plan.internal.recording.PlanRecorder;
import io.devicearena.plan.internal.schedule.MemoryAwareScheduler;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes memory plans.
 *
 * <p>Persistent values come first in the arena: parameters, constants and states, then inputs, each in the graph's
 * order. A {@link io.devicearena.plan.placement.PlacementStrategy} places all other values after them. Offsets and
 * sizes are multiples of the alignment, except those of views of some rows, which begin and end where their rows do. A
 * plan is deterministic: the same graph and options give the same plan on every JDK and platform.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class MemoryPlanner {
    private MemoryPlanner() {}

    /**
     * {@return the plan of a graph, and the live ranges that it was made from} That of a graph with free dimensions is
     * the plan at their upper bounds; {@link FamilyPlan#at} has those at other sizes.
     *
     * @param graph the graph
     * @param options sizing, alignment, strategy and more
     * @throws InvalidGraphException if the graph is cyclic, refers to missing nodes, contradicts itself, needs more
     *     bytes than a long counts, or does not fit the options: the boundary, or the segments
     */
    public static PlanResult plan(PlanGraph graph, PlanOptions options) {
        SlotSizes sizes = GraphReader.sizes(graph, options);
        SharedLayout layout = new SharedLayout(options, false);
        layout.add("graph", sizes);
        return place(sizes, options, layout).result();
    }

    /** Places a graph whose shared values are in a layout. */
    static PlacedGraph place(SlotSizes sizes, PlanOptions options, SharedLayout layout) {
        PlanEvent event = PlanRecorder.begin();
        PlacedGraph placed = inBestOrder(sizes, options, layout);
        layout.requireSegments(placed.plan());
        PlanResult result = placed.result();
        PlanRecorder.end(
                event, result.strategy(), result.buffers().size(), result.plan().arenaSize(), result.lowerBoundBytes());
        return placed;
    }

    /** Plans the graph in its own order and, if the options allow, in one with a lower peak. */
    private static PlacedGraph inBestOrder(SlotSizes sizes, PlanOptions options, SharedLayout layout) {
        GraphPlanner given = new GraphPlanner(sizes, options, layout);
        @Nullable PlacedGraph best = null;
        for (ArrayGraph order : options.reordering() ? MemoryAwareScheduler.reorder(sizes) : List.<ArrayGraph>of()) {
            GraphPlanner planner = new GraphPlanner(sizes.of(order), options, layout);
            if (best == null || isWorthwhile(planner, best, options, layout)) {
                PlacedGraph other = planner.plan();
                best = best == null || layout.isBetter(other.plan(), best.plan()) ? other : best;
            }
        }
        if (best != null && !isWorthwhile(given, best, options, layout)) {
            return best;
        }
        PlacedGraph unchanged = given.plan();
        return best != null && layout.isBetter(best.plan(), unchanged.plan()) ? best : unchanged;
    }

    /** Whether the plans of an order can be smaller than the best one. */
    private static boolean isWorthwhile(
            GraphPlanner planner, PlacedGraph best, PlanOptions options, SharedLayout layout) {
        long size = best.plan().arenaSize();
        boolean isLarge = !options.strategy().isGoodEnough(size) && size > planner.lowerBound();
        return isLarge || !layout.opens(best.plan());
    }

    /**
     * {@return the plan of buffers with known live ranges, each size rounded up to the alignment}
     *
     * @param buffers the buffers; their order becomes the schedule of the plan
     * @param options alignment, boundary, strategy and reuse; all else applies to graphs only
     * @throws IllegalArgumentException if an id appears twice, a buffer is larger than the boundary, or the sizes add
     *     up to more than a long counts
     */
    public static PlanResult plan(List<LiveBuffer> buffers, PlanOptions options) {
        PlanEvent event = PlanRecorder.begin();
        PlanResult result = placed(buffers, options);
        PlanRecorder.end(
                event, result.strategy(), result.buffers().size(), result.plan().arenaSize(), result.lowerBoundBytes());
        return result;
    }

    private static PlanResult placed(List<LiveBuffer> buffers, PlanOptions options) {
        PlacementProblem live = problem(buffers, options, LiveBuffer::firstStep, LiveBuffer::endStep);
        PlacementProblem problem = options.reuse() ? live : problem(buffers, options, buffer -> 0, buffer -> 1);
        long[] offsets = SegmentedPlacement.place(options.strategy(), problem, options.segmentBytes(), i -> false);
        int count = buffers.size();
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(count);
        List<NodeId> schedule = new ArrayList<>(count);
        List<LiveBuffer> placed = new ArrayList<>(count);
        long arenaSize = 0;
        long lowerBound = live.lowerBound();
        for (int i = 0; i < count; i++) {
            LiveBuffer buffer = buffers.get(i);
            BufferSlot slot = new BufferSlot(offsets[i], problem.size(i));
            slots.put(buffer.id(), slot);
            schedule.add(buffer.id());
            placed.add(new LiveBuffer(buffer.id(), buffer.firstStep(), buffer.endStep(), slot.size()));
            arenaSize = Math.max(arenaSize, slot.end());
            lowerBound = Math.max(lowerBound, slot.size()); // a buffer that is never live has a slot too
        }
        MemoryPlan plan = new MemoryPlan(arenaSize, slots, schedule);
        return new PlanResult(plan, placed, lowerBound, options.strategy().name(), List.of());
    }

    private static PlacementProblem problem(
            List<LiveBuffer> buffers,
            PlanOptions options,
            ToLongFunction<LiveBuffer> firstStep,
            ToLongFunction<LiveBuffer> endStep) {
        return new PlacementProblem(
                buffers.stream().mapToLong(buffer -> slotBytes(buffer, options)).toArray(),
                buffers.stream().mapToLong(firstStep).toArray(),
                buffers.stream().mapToLong(endStep).toArray(),
                options.alignment(),
                options.boundary());
    }

    private static long slotBytes(LiveBuffer buffer, PlanOptions options) {
        long most = Long.MAX_VALUE - options.alignment();
        if (buffer.size() > most) {
            throw new IllegalArgumentException(
                    buffer.id() + ": expected a size of at most " + most + " bytes, got " + buffer.size());
        }
        long bytes = SlotSizes.roundUp(buffer.size(), options.alignment());
        if (options.boundary() > 0 && bytes > options.boundary()) {
            throw new IllegalArgumentException(buffer.id() + ": expected at most the boundary of " + options.boundary()
                    + " bytes that no buffer may cross, got " + bytes);
        }
        return bytes;
    }
}
