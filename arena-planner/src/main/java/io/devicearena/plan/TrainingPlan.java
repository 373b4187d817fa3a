package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.plan.internal.graph.ArrayGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plans of a forward and a backward graph that use one arena in turn.
 *
 * <p>Both are cut from one plan of the two graphs in a row. So weights and all other values that both graphs name have
 * the same offsets, and only those values of the forward graph stay live that the backward graph reads.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param whole the plan of both graphs in a row
 * @param forward the slots and the schedule of the forward graph; its arena is as large as the whole one
 * @param backward the slots and the schedule of the backward graph; its arena is as large as the whole one
 */
public record TrainingPlan(PlanResult whole, MemoryPlan forward, MemoryPlan backward) {

    /**
     * {@return the plans of a training step}
     *
     * @param forward the forward graph
     * @param backward the backward graph; a value of the forward graph that it reads is a node of it with the same id
     *     and a role of input, parameter or constant
     * @param options sizing, alignment, strategy and more
     * @throws InvalidGraphException if a graph cannot be planned, or the two disagree on a value
     */
    public static TrainingPlan of(PlanGraph forward, PlanGraph backward, PlanOptions options) {
        PlanResult whole = MemoryPlanner.plan(
                joined(forward, backward), options, forward.nodes().size());
        return new TrainingPlan(
                whole,
                cut(whole.plan(), forward, options.reordering()),
                cut(whole.plan(), backward, options.reordering()));
    }

    /**
     * {@return a graph that executes the forward graph and then the backward graph}
     *
     * @param forward the forward graph
     * @param backward the backward graph, as for {@link #of}
     * @throws InvalidGraphException if the backward graph cannot be planned, both graphs make a value of the same id,
     *     they disagree on the size of a shared value or on what it is a view of, or the forward graph fuses away a
     *     value that the backward graph reads
     */
    public static PlanGraph joined(PlanGraph forward, PlanGraph backward) {
        ArrayGraph first = GraphReader.read(forward);
        ArrayGraph second = GraphReader.read(backward); // it must not read values that only the forward graph has
        Map<NodeId, Integer> positions = HashMap.newHashMap(first.count());
        for (int i = 0; i < first.count(); i++) {
            positions.put(first.id(i), i);
        }
        List<PlanNode> joined = new ArrayList<>(forward.nodes());
        List<? extends PlanNode> backwardNodes = List.copyOf(backward.nodes());
        for (int i = 0; i < second.count(); i++) {
            Integer shared = positions.get(second.id(i));
            if (shared == null) {
                joined.add(backwardNodes.get(i));
            } else {
                requireAgreement(first, shared, second, i);
            }
        }
        Set<NodeId> outputs = new LinkedHashSet<>(forward.outputs());
        outputs.addAll(backward.outputs());
        return new Joined(joined, outputs);
    }

    private record Joined(List<PlanNode> nodes, Set<NodeId> outputs) implements PlanGraph {}

    /** Checks that value i of the forward and value k of the backward graph, which have one id, are one value. */
    private static void requireAgreement(ArrayGraph first, int i, ArrayGraph second, int k) {
        NodeId id = first.id(i);
        if (!second.isPersistent(k)) {
            throw new InvalidGraphException(id + ": expected to be made by one of the two graphs, got ops of both;"
                    + " give the backward graph's value an id of its own");
        }
        if (first.elements(i) != second.elements(k) || first.dtype(i) != second.dtype(k)) {
            throw new InvalidGraphException(id + ": expected the same value in both graphs, got " + first.elements(i)
                    + " elements of " + first.dtype(i).label() + " and " + second.elements(k) + " of "
                    + second.dtype(k).label());
        }
        if (first.isFused(i)) {
            throw new InvalidGraphException(id + ": expected a value in memory, since the backward graph reads it, got"
                    + " one that the forward graph fuses away");
        }
        boolean sameBytes = first.id(first.root(i)).equals(second.id(second.root(k)))
                && first.firstElement(i) == second.firstElement(k);
        if (second.isView(k) && !sameBytes) {
            throw new InvalidGraphException(id + ": expected a view of the same bytes in both graphs, got "
                    + describe(first, i) + " in the forward and " + describe(second, k) + " in the backward graph;"
                    + " leave the view out of the backward graph, which can read the value as an input");
        }
    }

    private static String describe(ArrayGraph graph, int i) {
        return graph.isView(i)
                ? "a view of " + graph.name(graph.root(i)) + " from element " + graph.firstElement(i) + " on"
                : "a value of its own";
    }

    private static MemoryPlan cut(MemoryPlan whole, PlanGraph graph, boolean reordered) {
        List<NodeId> schedule = graph.nodes().stream().<NodeId>map(PlanNode::id).toList();
        if (reordered) {
            Set<NodeId> nodes = new HashSet<>(schedule);
            schedule = whole.schedule().stream().filter(nodes::contains).toList();
        }
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (NodeId id : schedule) {
            whole.slot(id).ifPresent(slot -> slots.put(id, slot));
            whole.value(id).ifPresent(value -> values.put(id, value));
        }
        return new MemoryPlan(whole.arenaSize(), slots, schedule, values);
    }
}
