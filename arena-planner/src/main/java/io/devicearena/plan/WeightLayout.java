package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Offsets for the parameters, constants and states of one or more graphs, at the start of the arena.
 *
 * <p>Plans made with the same layout ({@link PlanOptions#withWeights}) have every weight at the same offset. A forward
 * and a backward plan can then use one arena in turn without moving a weight.
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
     * {@return a layout of the weights of graphs, in the order in which they first appear}
     *
     * @param graphs the graphs; a weight of several graphs has the same id and size in each
     * @param options sizing, alignment and boundary, the same as for the plans that will use the layout
     * @throws InvalidGraphException if a graph cannot be planned, or two graphs give a weight different sizes
     */
    public static WeightLayout of(List<? extends PlanGraph> graphs, PlanOptions options) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        BumpAllocator allocator = new BumpAllocator(0, options.boundary());
        for (PlanGraph source : graphs) {
            ArrayGraph graph = GraphReader.read(source);
            SlotSizes sizes = GraphReader.sizes(graph, options);
            for (int i = 0; i < graph.count(); i++) {
                if (graph.isShared(i) && !graph.isView(i)) {
                    long size = sizes.slot(i);
                    String name = graph.name(i);
                    BufferSlot slot = slots.computeIfAbsent(graph.id(i), id -> allocator.allocate(name, size));
                    if (slot.size() != size) {
                        throw new InvalidGraphException(name + ": expected the same size in every graph, got "
                                + slot.size() + " and " + size + " bytes");
                    }
                }
            }
        }
        return new WeightLayout(slots, allocator.end());
    }

    /**
     * {@return the slot of a weight, or empty if the layout has none for it}
     *
     * @param id the weight
     */
    public Optional<BufferSlot> slot(NodeId id) {
        return Optional.ofNullable(slots.get(id));
    }

    /** {@return the size of all weights together: bytes from the start of the arena} */
    public long sizeBytes() {
        return sizeBytes;
    }
}
