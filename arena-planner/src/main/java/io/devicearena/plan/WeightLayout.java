package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Offsets for the parameters and constants of one or more graphs, at the start of the arena.
 *
 * <p>Plans made with the same layout ({@link PlanOptions#withWeights}) find every weight at the same offset, so that a
 * forward and a backward plan can use one arena in turn without moving a weight.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WeightLayout {
    private final Map<NodeId, BufferSlot> slots;
    private final long sizeBytes;

    private WeightLayout(Map<NodeId, BufferSlot> slots, long sizeBytes) {
        this.slots = slots;
        this.sizeBytes = sizeBytes;
    }

    /**
     * Lays out the weights of graphs, in the order in which they first appear.
     *
     * @param graphs the graphs; a weight of several graphs has the same id and size in each
     * @param options sizing, alignment and boundary; those of the plans that will use the layout
     * @return the layout
     * @throws InvalidGraphException if a graph cannot be planned, or two graphs give a weight different sizes
     */
    public static WeightLayout of(List<? extends PlanGraph> graphs, PlanOptions options) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Stack stack = new Stack(0, options.boundary());
        for (PlanGraph graph : graphs) {
            GraphIndex index = GraphIndex.of(graph);
            SlotSizes sizes = new SlotSizes(index, options);
            for (int i = 0; i < index.count(); i++) {
                if (isWeight(index, i)) {
                    long size = sizes.slot(i);
                    String name = index.named(i);
                    BufferSlot slot = slots.computeIfAbsent(index.id(i), id -> stack.push(name, size));
                    if (slot.size() != size) {
                        throw new InvalidGraphException(name + ": expected the same size in every graph, got "
                                + slot.size() + " and " + size + " bytes");
                    }
                }
            }
        }
        return new WeightLayout(slots, stack.top());
    }

    /** Whether value i is a weight with bytes of its own. */
    static boolean isWeight(GraphIndex graph, int i) {
        NodeRole role = graph.role(i);
        return (role == NodeRole.PARAMETER || role == NodeRole.CONSTANT) && !graph.isView(i);
    }

    /**
     * Where a weight is.
     *
     * @param id the weight
     * @return its slot, or empty when the layout has none for it
     */
    public Optional<BufferSlot> slot(NodeId id) {
        return Optional.ofNullable(slots.get(id));
    }

    /**
     * The size of all weights together.
     *
     * @return bytes from the arena's start
     */
    public long sizeBytes() {
        return sizeBytes;
    }
}
