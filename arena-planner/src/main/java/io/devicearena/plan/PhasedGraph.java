package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.plan.internal.graph.ArrayGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Graphs that run one after another and pass values on, as one graph: a forward, a backward and an update phase make a
 * training step.
 *
 * <p>A phase lists what it reads of the phases before as values of its own, with the same ids and a role of input,
 * parameter, constant or state. Such a value keeps its bytes until its last use in a later phase; any other frees them
 * within its phase.
 *
 * <pre>{@code
 * PhasedGraph step = PhasedGraph.of("forward", forward).then("backward", backward);
 * FamilyPlan family = FamilyPlan.of(Map.of("train", step, "infer", forward), options);
 * MemoryPlan plan = family.plan("train", "backward");
 * }</pre>
 *
 * <p><b>Threads:</b> immutable.
 */
public final class PhasedGraph implements PlanGraph {
    private final Map<String, PlanGraph> phases;
    private final List<PlanNode> nodes;
    private final Set<NodeId> outputs;
    private final List<Integer> ends; // of the nodes of each phase

    private PhasedGraph(
            Map<String, PlanGraph> phases, List<PlanNode> nodes, Set<NodeId> outputs, List<Integer> earlierEnds) {
        this.phases = Collections.unmodifiableMap(phases);
        this.nodes = List.copyOf(nodes);
        this.outputs = Collections.unmodifiableSet(outputs);
        this.ends = new ArrayList<>(earlierEnds);
        this.ends.add(nodes.size());
    }

    /**
     * {@return a graph of one phase}
     *
     * @param name the name of the phase
     * @param graph the phase
     */
    public static PhasedGraph of(String name, PlanGraph graph) {
        return new PhasedGraph(
                Map.of(Objects.requireNonNull(name, "name"), graph),
                List.copyOf(graph.nodes()),
                new LinkedHashSet<>(graph.outputs()),
                List.of());
    }

    /**
     * {@return a graph of these phases and then another one}
     *
     * @param name the name of the phase
     * @param graph the phase
     * @throws IllegalArgumentException if there is a phase of that name
     * @throws InvalidGraphException if a phase cannot be planned, two make a value of the same id, they disagree on the
     *     type or the size of a value or on what it is a view of, or a value that the phase reads is fused away
     */
    public PhasedGraph then(String name, PlanGraph graph) {
        if (phases.containsKey(name)) {
            throw new IllegalArgumentException(
                    "phase '" + name + "': expected a name that no phase has, got one of " + phases.keySet());
        }
        ArrayGraph before = GraphReader.read(this);
        ArrayGraph after = GraphReader.read(graph); // it must not read values that only earlier phases have
        Map<NodeId, Integer> positions = HashMap.newHashMap(before.count());
        for (int i = 0; i < before.count(); i++) {
            positions.put(before.id(i), i);
        }
        List<PlanNode> joined = new ArrayList<>(nodes);
        List<? extends PlanNode> added = List.copyOf(graph.nodes());
        for (int i = 0; i < after.count(); i++) {
            Integer shared = positions.get(after.id(i));
            if (shared == null) {
                joined.add(added.get(i));
            } else {
                requireAgreement(before, shared, after, i, "'" + name + "'");
            }
        }
        Map<String, PlanGraph> all = new LinkedHashMap<>(phases);
        all.put(name, graph);
        Set<NodeId> read = new LinkedHashSet<>(outputs);
        read.addAll(graph.outputs());
        return new PhasedGraph(all, joined, read, ends);
    }

    /** Checks that value i of the phases before and value k of the next one, which have one id, are one value. */
    private static void requireAgreement(ArrayGraph before, int i, ArrayGraph after, int k, String phase) {
        NodeId id = before.id(i);
        if (!after.isPersistent(k)) {
            throw new InvalidGraphException(id + ": expected to be made by one phase, got ops of " + phase
                    + " and of a phase before it; give the value of " + phase + " an id of its own");
        }
        if (!before.size(i).equals(after.size(k)) || before.dtype(i) != after.dtype(k)) {
            throw new InvalidGraphException(id + ": expected the same value in all phases, got " + before.size(i)
                    + " elements of " + before.dtype(i).label() + " and in " + phase + " " + after.size(k) + " of "
                    + after.dtype(k).label());
        }
        if (before.isFused(i)) {
            throw new InvalidGraphException(id + ": expected a value in memory, since " + phase + " reads it, got one"
                    + " that a phase before it fuses away");
        }
        boolean sameBytes = before.id(before.root(i)).equals(after.id(after.root(k)))
                && before.start(i).equals(after.start(k));
        if (after.isView(k) && !sameBytes) {
            throw new InvalidGraphException(id + ": expected a view of the same bytes in all phases, got "
                    + describe(before, i) + " and in " + phase + " " + describe(after, k) + "; leave the view out of "
                    + phase + ", which can read the value as an input");
        }
    }

    private static String describe(ArrayGraph graph, int i) {
        return graph.isView(i)
                ? "a view of " + graph.name(graph.root(i)) + " from element " + graph.start(i) + " on"
                : "a value of its own";
    }

    /** The slots and the schedule of a phase, cut from the plan of all. */
    static MemoryPlan cut(MemoryPlan whole, PlanGraph phase, boolean reordered) {
        List<NodeId> schedule = phase.nodes().stream().<NodeId>map(PlanNode::id).toList();
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

    /** The same phases with other nodes. */
    PhasedGraph with(List<PlanNode> others, UnaryOperator<PlanGraph> changed) {
        Map<String, PlanGraph> all = new LinkedHashMap<>(phases);
        all.replaceAll((name, phase) -> changed.apply(phase));
        return new PhasedGraph(all, others, outputs, ends.subList(0, ends.size() - 1));
    }

    /** {@return the phases by name, in the order in which they run} */
    public Map<String, PlanGraph> phases() {
        return phases;
    }

    /** {@return the nodes of all phases, each value once} */
    @Override
    public List<PlanNode> nodes() {
        return nodes;
    }

    /** {@return the outputs of all phases} */
    @Override
    public Set<NodeId> outputs() {
        return outputs;
    }

    /** Behind which position each phase ends. */
    int[] ends() {
        return ends.stream().mapToInt(Integer::intValue).toArray();
    }
}
