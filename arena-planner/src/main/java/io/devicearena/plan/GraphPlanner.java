package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans one graph in the order in which it stands.
 *
 * <p>Values that lie in one another's slots are placed as one block. One way to share may rule another one out, and a block is
 * harder to place than its values; so there are plans with different ways to share, from the one on whose steps least is live
 * on, as long as one can be smaller than the best so far.
 */
final class GraphPlanner {
    private final GraphIndex graph;
    private final PlanOptions options;
    private final Liveness liveness;
    private final SlotSizes sizes;
    private final BufferSlot[] pinned;
    private final long bottom;
    private final long pinnedBytes;
    /** What no plan goes below, whichever values share slots. */
    private final long leastBytes;

    private GraphPlanner(GraphIndex graph, PlanOptions options) {
        this.graph = graph;
        this.options = options;
        this.liveness = Liveness.of(graph);
        this.sizes = new SlotSizes(graph, options);
        this.pinned = new BufferSlot[graph.count()];
        this.bottom = placePinned();
        this.pinnedBytes = pinnedBytes();
        requireCountable();
        this.leastBytes = pinnedBytes + blocks(Blocks.Sharing.NONE).leastBytes();
    }

    static PlannedMemory plan(GraphIndex graph, PlanOptions options) {
        GraphPlanner planner = new GraphPlanner(graph, options);
        List<Candidate> candidates = planner.candidates();
        PlannedMemory best = planner.place(candidates.getFirst());
        for (Candidate candidate : candidates.subList(1, candidates.size())) {
            long size = best.plan().arenaSize();
            if (!options.strategy().isEnough(size)
                    && planner.pinnedBytes + candidate.problem().lowerBound() < size) {
                PlannedMemory other = planner.place(candidate);
                best = other.plan().arenaSize() < size ? other : best;
            }
        }
        return best;
    }

    /** What a plan of the graph in this order takes at least, whichever of its values share slots. */
    static long lowerBound(GraphIndex graph, PlanOptions options) {
        return new GraphPlanner(graph, options).leastBytes;
    }

    /**
     * A way to share slots.
     *
     * @param blocks what is placed as one
     * @param problem where the blocks live
     */
    private record Candidate(Blocks blocks, PlacementProblem problem) {}

    /** The different ways to share slots, from that on whose steps least is live on. */
    private List<Candidate> candidates() {
        Map<List<SharedSlot>, Candidate> candidates = new LinkedHashMap<>();
        for (Blocks.Sharing sharing : Blocks.Sharing.values()) {
            Blocks blocks = blocks(sharing);
            candidates.computeIfAbsent(blocks.shared(), shared -> new Candidate(blocks, problem(blocks)));
            if (blocks.shared().isEmpty() && sharing == Blocks.Sharing.ALL) {
                break; // no value may lie in the slot of another
            }
        }
        return candidates.values().stream()
                .sorted(Comparator.comparingLong(
                        candidate -> candidate.problem().lowerBound()))
                .toList();
    }

    private Blocks blocks(Blocks.Sharing sharing) {
        return Blocks.of(graph, liveness, sizes, options.alignment(), sharing);
    }

    private PlannedMemory place(Candidate candidate) {
        Blocks blocks = candidate.blocks();
        long[] offsets = options.strategy().place(candidate.problem());
        long[] offsetOf = new long[graph.count()];
        int placed = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (blocks.isBlock(i)) {
                offsetOf[i] = offsets[placed++];
            }
        }
        return result(blocks, offsetOf);
    }

    private PlannedMemory result(Blocks blocks, long[] offsetOf) {
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
                leastBytes,
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
