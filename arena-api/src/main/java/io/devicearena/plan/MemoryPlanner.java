package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.strategy.PlacementProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes memory plans.
 *
 * <p>What lives through the whole execution is stacked at the arena's start: weights first, then inputs, each in the
 * graph's order. Above them a {@link io.devicearena.plan.strategy.PlacementStrategy} places what comes and goes.
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
        GraphIndex index = GraphIndex.of(graph);
        Liveness liveness = Liveness.of(index);
        SlotSizes sizes = new SlotSizes(index, options);
        BufferSlot[] owned = new BufferSlot[index.count()];
        long bottom = placePinned(index, sizes, options, owned);
        PlacementProblem problem = placeTransient(index, liveness, sizes, options, bottom, owned);

        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(index.count());
        List<NodeId> schedule = new ArrayList<>(index.count());
        List<LiveBuffer> buffers = new ArrayList<>(index.count());
        long arenaSize = bottom;
        for (int i = 0; i < index.count(); i++) {
            schedule.add(index.id(i));
            if (index.isFused(i)) {
                continue;
            }
            BufferSlot slot = owned[index.root(i)];
            if (index.isView(i)) {
                slot = new BufferSlot(slot.offset() + sizes.offsetInRoot(i), sizes.slot(i));
                buffers.add(new LiveBuffer(index.id(i), i, i, slot.size()));
            } else {
                buffers.add(new LiveBuffer(index.id(i), liveness.lower(i), liveness.upper(i), slot.size()));
            }
            slots.put(index.id(i), slot);
            arenaSize = Math.max(arenaSize, slot.end());
        }
        return new PlannedMemory(
                new MemoryPlan(arenaSize, slots, schedule),
                buffers,
                pinnedBytes(index, sizes) + problem.lowerBound(),
                options.strategy().name());
    }

    /** Stacks what lives through the whole execution; returns the first byte above it. */
    private static long placePinned(GraphIndex graph, SlotSizes sizes, PlanOptions options, BufferSlot[] owned) {
        // A layout that was made with a smaller alignment can end between two multiples of this one.
        long weights = options.weights().map(WeightLayout::sizeBytes).orElse(0L);
        Stack stack = new Stack(SlotSizes.roundUp(weights, options.alignment()), options.boundary());
        for (int i = 0; i < graph.count(); i++) {
            if (WeightLayout.isWeight(graph, i)) {
                owned[i] = placeWeight(graph, i, sizes.slot(i), options, stack);
            }
        }
        for (int i = 0; i < graph.count(); i++) {
            if (graph.role(i) == NodeRole.INPUT && !graph.isView(i)) {
                owned[i] = stack.push(graph.named(i), sizes.slot(i));
            }
        }
        return stack.top();
    }

    private static BufferSlot placeWeight(GraphIndex graph, int i, long size, PlanOptions options, Stack stack) {
        BufferSlot slot = options.weights()
                .flatMap(layout -> layout.slot(graph.id(i)))
                .orElseGet(() -> stack.push(graph.named(i), size));
        if (slot.size() != size
                || slot.offset() % options.alignment() != 0
                || Stack.crosses(slot.offset(), slot.size(), options.boundary())) {
            throw new InvalidGraphException(graph.named(i) + ": expected a slot of " + size
                    + " bytes at a multiple of " + options.alignment()
                    + (options.boundary() > 0 ? " that crosses no multiple of " + options.boundary() : "")
                    + " in the weight layout, got " + slot.size() + " bytes at " + slot.offset()
                    + "; make the layout with the same options");
        }
        return slot;
    }

    /** What the values that live through the whole execution take, without gaps. */
    private static long pinnedBytes(GraphIndex graph, SlotSizes sizes) {
        long total = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.role(i).isPinned() && !graph.isView(i)) {
                total += sizes.slot(i);
            }
        }
        return total;
    }

    private static PlacementProblem placeTransient(
            GraphIndex graph,
            Liveness liveness,
            SlotSizes sizes,
            PlanOptions options,
            long bottom,
            BufferSlot[] owned) {
        int[] moving = new int[graph.count()];
        int count = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (!graph.isView(i) && !graph.isFused(i) && !graph.role(i).isPinned()) {
                moving[count++] = i;
            }
        }
        long[] bytes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        long most = bottom;
        for (int k = 0; k < count; k++) {
            bytes[k] = sizes.slot(moving[k]);
            most = highestEnd(graph.named(moving[k]), most, bytes[k], options);
            lowers[k] = liveness.lower(moving[k]);
            uppers[k] = liveness.upper(moving[k]);
        }
        PlacementProblem problem =
                new PlacementProblem(bytes, lowers, uppers, options.alignment(), options.boundary(), bottom);
        long[] offsets = options.strategy().place(problem);
        for (int k = 0; k < count; k++) {
            owned[moving[k]] = new BufferSlot(offsets[k], bytes[k]);
        }
        return problem;
    }

    /** How high the arena can grow when one more value is placed; with a boundary each can need a gap of its own size. */
    private static long highestEnd(String name, long most, long size, PlanOptions options) {
        Stack.requireWithin(name, size, options.boundary());
        int times = options.boundary() > 0 ? 2 : 1;
        if (size > (Long.MAX_VALUE - most) / times) {
            throw new InvalidGraphException(name + ": expected all values to add up to at most " + Long.MAX_VALUE
                    + " bytes, got " + size + " on top of " + most);
        }
        return most + times * size;
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
                problem.lowerBound(),
                options.strategy().name());
    }

    /** The most bytes of buffers that are live at any step, their sizes taken as they are. */
    static long lowerBound(List<LiveBuffer> buffers) {
        return problem(buffers, PlanOptions.declared(1)).lowerBound();
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
