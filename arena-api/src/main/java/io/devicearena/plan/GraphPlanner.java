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
 * Plans one graph in the order in which it stands.
 *
 * <p>Values that lie in one another's slots are placed as one block. That makes no step need more, but a block is harder
 * to place than its values; so where the plan turns out larger than one without such sharing could be, that one is made
 * too, and the smaller of the two is taken.
 */
final class GraphPlanner {
    private final GraphIndex graph;
    private final PlanOptions options;
    private final Liveness liveness;
    private final SlotSizes sizes;
    private final BufferSlot[] pinned;
    private final long bottom;
    private final long pinnedBytes;

    private GraphPlanner(GraphIndex graph, PlanOptions options) {
        this.graph = graph;
        this.options = options;
        this.liveness = Liveness.of(graph);
        this.sizes = new SlotSizes(graph, options);
        this.pinned = new BufferSlot[graph.count()];
        this.bottom = placePinned();
        this.pinnedBytes = pinnedBytes();
        requireCountable();
    }

    static PlannedMemory plan(GraphIndex graph, PlanOptions options) {
        GraphPlanner planner = new GraphPlanner(graph, options);
        Blocks blocks = planner.blocks(Blocks.Sharing.ALL);
        PlannedMemory best = planner.place(blocks);
        if (blocks.hasParts()) {
            best = planner.smaller(best, Blocks.Sharing.IN_PLACE);
        }
        return blocks.isEmpty() ? best : planner.smaller(best, Blocks.Sharing.NONE);
    }

    /** What a plan of the graph in this order takes at least. */
    static long lowerBound(GraphIndex graph, PlanOptions options) {
        GraphPlanner planner = new GraphPlanner(graph, options);
        return planner.pinnedBytes
                + planner.problem(planner.blocks(Blocks.Sharing.ALL)).lowerBound();
    }

    private Blocks blocks(Blocks.Sharing sharing) {
        return Blocks.of(graph, liveness, sizes, options.alignment(), sharing);
    }

    /** A plan with less sharing if it is smaller than the best one so far, which it is tried for only if it can be. */
    private PlannedMemory smaller(PlannedMemory best, Blocks.Sharing sharing) {
        Blocks blocks = blocks(sharing);
        if (best.plan().arenaSize() <= pinnedBytes + problem(blocks).lowerBound()) {
            return best;
        }
        PlannedMemory other = place(blocks);
        return other.plan().arenaSize() < best.plan().arenaSize() ? other : best;
    }

    private PlannedMemory place(Blocks blocks) {
        PlacementProblem problem = problem(blocks);
        long[] offsets = options.strategy().place(problem);
        long[] offsetOf = new long[graph.count()];
        int placed = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (blocks.isBlock(i)) {
                offsetOf[i] = offsets[placed++];
            }
        }
        return result(blocks, offsetOf, problem.lowerBound());
    }

    private PlannedMemory result(Blocks blocks, long[] offsetOf, long lowerBound) {
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(graph.count());
        List<NodeId> schedule = new ArrayList<>(graph.count());
        List<LiveBuffer> buffers = new ArrayList<>(graph.count());
        long arenaSize = bottom;
        for (int i = 0; i < graph.count(); i++) {
            schedule.add(graph.id(i));
            if (graph.isFused(i)) {
                continue;
            }
            int root = graph.root(i);
            long offset = graph.role(root).isPinned()
                    ? pinned[root].offset()
                    : offsetOf[blocks.block(root)] + blocks.offset(root);
            BufferSlot slot = new BufferSlot(offset + sizes.offsetInRoot(i), sizes.slot(i));
            buffers.add(graph.isView(i) ? new LiveBuffer(graph.id(i), i, i, slot.size()) : blocks.life(i));
            slots.put(graph.id(i), slot);
            arenaSize = Math.max(arenaSize, slot.end());
        }
        return new PlannedMemory(
                new MemoryPlan(arenaSize, slots, schedule),
                buffers,
                pinnedBytes + lowerBound,
                options.strategy().name(),
                blocks.shared());
    }

    /** Stacks what lives through the whole execution; returns the first byte above it. */
    private long placePinned() {
        // A layout that was made with a smaller alignment can end between two multiples of this one.
        long weights = options.weights().map(WeightLayout::sizeBytes).orElse(0L);
        Stack stack = new Stack(SlotSizes.roundUp(weights, options.alignment()), options.boundary());
        for (int i = 0; i < graph.count(); i++) {
            if (WeightLayout.isWeight(graph, i)) {
                pinned[i] = placeWeight(i, stack);
            }
        }
        for (int i = 0; i < graph.count(); i++) {
            if (graph.role(i) == NodeRole.INPUT && !graph.isView(i)) {
                pinned[i] = stack.push(graph.named(i), sizes.slot(i));
            }
        }
        return stack.top();
    }

    private BufferSlot placeWeight(int i, Stack stack) {
        long size = sizes.slot(i);
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
    private long pinnedBytes() {
        long total = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.role(i).isPinned() && !graph.isView(i)) {
                total += sizes.slot(i);
            }
        }
        return total;
    }

    /** Adds up how high the arena could grow; with a boundary each value can need a gap of its own size. */
    private void requireCountable() {
        int times = options.boundary() > 0 ? 2 : 1;
        long most = bottom;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isView(i) || graph.isFused(i) || graph.role(i).isPinned()) {
                continue;
            }
            long size = sizes.slot(i);
            Stack.requireWithin(graph.named(i), size, options.boundary());
            if (size > (Long.MAX_VALUE - most) / times) {
                throw new InvalidGraphException(graph.named(i) + ": expected all values to add up to at most "
                        + Long.MAX_VALUE + " bytes, got " + size + " on top of " + most);
            }
            most += times * size;
        }
    }

    /** The blocks, in ascending order of their first tenants. */
    private PlacementProblem problem(Blocks blocks) {
        int[] placed = new int[graph.count()];
        int count = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (blocks.isBlock(i)) {
                placed[count++] = i;
            }
        }
        long[] bytes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int k = 0; k < count; k++) {
            bytes[k] = sizes.slot(placed[k]);
            lowers[k] = blocks.lower(placed[k]);
            uppers[k] = blocks.upper(placed[k]);
        }
        return new PlacementProblem(bytes, lowers, uppers, options.alignment(), options.boundary(), bottom);
    }
}
