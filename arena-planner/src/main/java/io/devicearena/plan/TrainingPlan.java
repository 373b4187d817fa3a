package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plans of a forward and a backward graph that use one arena in turn.
 *
 * <p>Both are cut from one plan of the two graphs in a row, so weights and whatever else both name sit at the same
 * offsets, and of the forward graph's values only those stay live that the backward graph reads.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param whole the plan of both graphs in a row
 * @param forward the slots and the schedule of the forward graph; its arena is as large as the whole one
 * @param backward the slots and the schedule of the backward graph; its arena is as large as the whole one
 */
public record TrainingPlan(PlannedMemory whole, MemoryPlan forward, MemoryPlan backward) {

    /**
     * Plans a training step.
     *
     * @param forward the forward graph
     * @param backward the backward graph; the values of the forward graph that it reads are nodes of it with the same id
     *     and a role of input, parameter or constant
     * @param options sizing, alignment, strategy and further wishes
     * @return the plans
     * @throws InvalidGraphException if a graph cannot be planned, or the two disagree on a value
     */
    public static TrainingPlan of(PlanGraph forward, PlanGraph backward, PlanOptions options) {
        PlanGraph joined = joined(forward, backward);
        PlannedMemory whole =
                MemoryPlanner.plan(joined, options, forward.nodes().size());
        return new TrainingPlan(
                whole,
                cut(whole.plan(), forward, options.reordering()),
                cut(whole.plan(), backward, options.reordering()));
    }

    /**
     * The two graphs in a row, as one.
     *
     * @param forward the forward graph
     * @param backward the backward graph, as {@link #of} takes it
     * @return a graph that executes the one and then the other
     * @throws InvalidGraphException if the backward graph cannot be planned, both make a value of the same id, disagree
     *     on the size of a shared one or on what it is a view of, or the forward graph fuses away what the backward graph
     *     reads
     */
    public static PlanGraph joined(PlanGraph forward, PlanGraph backward) {
        GraphIndex first = GraphIndex.of(forward);
        GraphIndex second = GraphIndex.of(backward); // alone, it must not read what only the forward graph has
        Map<NodeId, PlanNode> nodes = new LinkedHashMap<>();
        forward.nodes().forEach(node -> nodes.put(node.id(), node));
        List<PlanNode> joined = new ArrayList<>(forward.nodes());
        for (PlanNode node : backward.nodes()) {
            PlanNode shared = nodes.get(node.id());
            if (shared == null) {
                joined.add(node);
            } else if (!node.role().isPinned()) {
                throw new InvalidGraphException(node.id() + ": expected to be made by one of the two graphs, got ops of"
                        + " both; give the backward graph's value an id of its own");
            } else if (shared.elements() != node.elements() || shared.dtype() != node.dtype()) {
                throw new InvalidGraphException(node.id() + ": expected the same value in both graphs, got "
                        + shared.elements() + " elements of " + shared.dtype().label() + " and " + node.elements()
                        + " of " + node.dtype().label());
            } else if (shared.isFused()) {
                throw new InvalidGraphException(
                        node.id() + ": expected a value in memory, since the backward graph reads"
                                + " it, got one that the forward graph fuses away");
            } else if (node.view().isPresent() && !shows(first, second, node.id())) {
                throw new InvalidGraphException(node.id() + ": expected a view of the same bytes in both graphs, got "
                        + shown(first, node.id()) + " in the forward and " + shown(second, node.id())
                        + " in the backward graph; leave the view out of the backward graph, which can read the value as"
                        + " an input");
            }
        }
        Set<NodeId> outputs = new LinkedHashSet<>(forward.outputs());
        outputs.addAll(backward.outputs());
        return new Joined(joined, outputs);
    }

    private static boolean shows(GraphIndex first, GraphIndex second, NodeId id) {
        int one = first.place(id);
        int other = second.place(id);
        return first.id(first.root(one)).equals(second.id(second.root(other)))
                && first.firstElement(one) == second.firstElement(other);
    }

    private static String shown(GraphIndex graph, NodeId id) {
        int place = graph.place(id);
        return graph.isView(place)
                ? "a view of " + graph.named(graph.root(place)) + " from element " + graph.firstElement(place) + " on"
                : "a value of its own";
    }

    private record Joined(List<PlanNode> nodes, Set<NodeId> outputs) implements PlanGraph {}

    private static MemoryPlan cut(MemoryPlan whole, PlanGraph graph, boolean reordered) {
        List<NodeId> schedule = graph.nodes().stream().<NodeId>map(PlanNode::id).toList();
        if (reordered) {
            Set<NodeId> nodes = new HashSet<>(schedule);
            schedule = whole.schedule().stream().filter(nodes::contains).toList();
        }
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        for (NodeId id : schedule) {
            whole.slot(id).ifPresent(slot -> slots.put(id, slot));
        }
        return new MemoryPlan(whole.arenaSize(), slots, schedule);
    }
}
