package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes memory plans.
 *
 * <p>What lives through the whole execution is stacked at the arena's start: weights first, then inputs, each in the
 * graph's order. Above them a {@link io.devicearena.plan.placement.PlacementStrategy} places what comes and goes.
 * Offsets and sizes are multiples of the alignment, except those of views of some rows, which begin and end where their
 * rows do. A plan is deterministic: the same graph and options give the same plan on every JDK and platform.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class MemoryPlanner {
    private MemoryPlanner() {}

    /**
     * Plans a graph with 4 bytes an element, whatever type is declared.
     *
     * @param graph the graph
     * @param align bytes that offsets and sizes are rounded up to, a power of two; 16 suits kernels that bind ranges, 64
     *     every device
     * @return the plan
     * @throws InvalidGraphException if the graph is cyclic, refers to what is not there, contradicts itself, or is
     *     larger than a long counts
     * @throws IllegalArgumentException if {@code align} is no power of two
     */
    public static MemoryPlan planF32Uniform(PlanGraph graph, long align) {
        return plan(graph, PlanOptions.f32Uniform(align)).plan();
    }

    /**
     * Plans a graph with the bytes of the declared types.
     *
     * @param graph the graph
     * @param align bytes that offsets and sizes are rounded up to, a power of two; 16 suits kernels that bind ranges, 64
     *     every device
     * @return the plan
     * @throws InvalidGraphException if the graph is cyclic, refers to what is not there, contradicts itself, or is
     *     larger than a long counts
     * @throws IllegalArgumentException if {@code align} is no power of two
     */
    public static MemoryPlan planDeclared(PlanGraph graph, long align) {
        return plan(graph, PlanOptions.declared(align)).plan();
    }

    /**
     * Plans a graph.
     *
     * @param graph the graph
     * @param options sizing, alignment, strategy and further wishes
     * @return the plan, and the lives it was made from
     * @throws InvalidGraphException if the graph is cyclic, refers to what is not there, contradicts itself, is larger
     *     than a long counts, or does not fit the options
     */
    public static PlannedMemory plan(PlanGraph graph, PlanOptions options) {
        return plan(graph, options, graph.nodes().size());
    }

    /**
     * Plans a graph of two phases of which the first ends before the second begins, in whatever order.
     *
     * @param secondPhase the step with which the second phase begins
     */
    static PlannedMemory plan(PlanGraph graph, PlanOptions options, int secondPhase) {
        GraphIndex index = GraphIndex.of(graph);
        Optional<PlanGraph> reordered =
                options.reordering() ? ExecutionOrder.better(graph, options, secondPhase) : Optional.empty();
        if (reordered.isEmpty()) {
            return GraphPlanner.plan(index, options);
        }
        PlannedMemory other = GraphPlanner.plan(GraphIndex.of(reordered.get()), options);
        long size = other.plan().arenaSize();
        if (options.strategy().isEnough(size) || size <= GraphPlanner.lowerBound(index, options)) {
            return other;
        }
        PlannedMemory given = GraphPlanner.plan(index, options);
        return size < given.plan().arenaSize() ? other : given;
    }

    /**
     * Plans buffers with known lives, as tables of allocation research give them.
     *
     * @param buffers the buffers; their order becomes the plan's schedule
     * @param options alignment, boundary and strategy; the other wishes are for graphs
     * @return the plan, each size rounded up to the alignment
     * @throws IllegalArgumentException if an id appears twice, a buffer is larger than the boundary, or the sizes add up
     *     to more than a long counts
     */
    public static PlannedMemory plan(List<LiveBuffer> buffers, PlanOptions options) {
        PlacementProblem problem = problem(buffers, options);
        long[] offsets = options.strategy().place(problem);

        int count = buffers.size();
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(count);
        List<NodeId> schedule = new ArrayList<>(count);
        List<LiveBuffer> placed = new ArrayList<>(count);
        long arenaSize = 0;
        for (int i = 0; i < count; i++) {
            NodeId id = buffers.get(i).id();
            BufferSlot slot = new BufferSlot(offsets[i], problem.size(i));
            slots.put(id, slot);
            schedule.add(id);
            placed.add(new LiveBuffer(id, problem.lower(i), problem.upper(i), problem.size(i)));
            arenaSize = Math.max(arenaSize, slot.end());
        }
        return new PlannedMemory(
                new MemoryPlan(arenaSize, slots, schedule),
                placed,
                lowerBound(problem),
                options.strategy().name());
    }

    /** The most bytes of buffers that are live at any step, their sizes taken as they are; at least those of the largest one. */
    static long lowerBound(List<LiveBuffer> buffers) {
        return lowerBound(problem(buffers, PlanOptions.declared(1)));
    }

    /** A buffer that is never live has a slot too. */
    private static long lowerBound(PlacementProblem problem) {
        long largest = 0;
        for (int i = 0; i < problem.count(); i++) {
            largest = Math.max(largest, problem.size(i));
        }
        return Math.max(largest, problem.lowerBound());
    }

    private static PlacementProblem problem(List<LiveBuffer> buffers, PlanOptions options) {
        int count = buffers.size();
        long[] bytes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            LiveBuffer buffer = buffers.get(i);
            if (buffer.size() > Long.MAX_VALUE - options.alignment()) {
                throw new IllegalArgumentException(buffer.id() + ": expected a size of at most "
                        + (Long.MAX_VALUE - options.alignment()) + " bytes, got " + buffer.size());
            }
            bytes[i] = SlotSizes.roundUp(buffer.size(), options.alignment());
            lowers[i] = buffer.lower();
            uppers[i] = buffer.upper();
        }
        return new PlacementProblem(bytes, lowers, uppers, options.alignment(), options.boundary(), 0);
    }
}
