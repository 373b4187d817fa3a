package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CsrAdjacency;
import io.devicearena.plan.internal.graph.CycleFinder;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads a {@link PlanGraph} into arrays and checks all that a plan relies on. */
final class GraphReader {
    private final List<? extends PlanNode> nodes;
    private final Map<NodeId, Integer> positions;
    private final ArrayGraph graph;

    private GraphReader(PlanGraph source) {
        nodes = List.copyOf(source.nodes());
        positions = HashMap.newHashMap(nodes.size());
        graph = new ArrayGraph(nodes.size(), this::name);
    }

    /**
     * Reads a graph.
     *
     * @throws InvalidGraphException if it cannot be planned
     */
    static ArrayGraph read(PlanGraph source) {
        GraphReader reader = new GraphReader(source);
        reader.readNodes();
        reader.readReferences();
        for (int i = 0; i < reader.nodes.size(); i++) {
            reader.resolveView(i);
            reader.checkConcatenation(i);
        }
        reader.readOutputs(source.outputs());
        reader.graph.finish();
        return reader.graph;
    }

    /**
     * The slot sizes of a graph.
     *
     * @throws InvalidGraphException if a size is more than a long holds, or than the boundary
     */
    static SlotSizes sizes(ArrayGraph graph, PlanOptions options) {
        SlotSizes sizes = new SlotSizes(graph, options::elementBytes, options.alignment());
        long most = Long.MAX_VALUE - options.alignment();
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isFused(i) || graph.isView(i)) {
                continue;
            }
            if (graph.elements(i) > most / sizes.elementBytes(i)) {
                throw new InvalidGraphException(graph.name(i) + ": expected a size of at most " + most + " bytes, got "
                        + graph.elements(i) + " elements of " + sizes.elementBytes(i) + " bytes");
            }
            if (options.boundary() > 0 && sizes.slot(i) > options.boundary()) {
                throw new InvalidGraphException(graph.name(i) + ": expected at most the boundary of "
                        + options.boundary() + " bytes that no slot may cross, got " + sizes.slot(i));
            }
        }
        return sizes;
    }

    private String name(int i) {
        PlanNode node = nodes.get(i);
        String id = node.id().toString();
        return id.equals(node.name()) ? id : id + " '" + node.name() + "'";
    }

    private InvalidGraphException fault(int i, String problem) {
        return new InvalidGraphException(name(i) + ": " + problem);
    }

    private void readNodes() {
        for (int i = 0; i < nodes.size(); i++) {
            PlanNode node = nodes.get(i);
            NodeId id = Objects.requireNonNull(node.id(), "node id");
            Integer first = positions.putIfAbsent(id, i);
            if (first != null) {
                throw fault(i, "expected a unique id, got that of position " + first + " again at position " + i);
            }
            if (node.elements() < 0) {
                throw fault(i, "expected 0 or more elements, got " + node.elements());
            }
            NodeRole role = Objects.requireNonNull(node.role(), "node role");
            if (node.isFused() && role != NodeRole.OP) {
                throw fault(i, "expected only an op to be fused, got role " + role);
            }
            graph.set(
                    i,
                    id,
                    kind(role),
                    Objects.requireNonNull(node.dtype(), "node dtype"),
                    node.elements(),
                    node.isFused(),
                    node.isConcatenation());
            if (role == NodeRole.OUTPUT) {
                graph.setOutput(i);
            }
        }
    }

    private static ArrayGraph.Kind kind(NodeRole role) {
        return switch (role) {
            case INPUT -> ArrayGraph.Kind.INPUT;
            case PARAMETER, CONSTANT -> ArrayGraph.Kind.WEIGHT;
            case OP, OUTPUT -> ArrayGraph.Kind.OP;
        };
    }

    private void readReferences() {
        int count = nodes.size();
        CsrAdjacency inputs =
                CsrAdjacency.of(count, i -> positions(i, nodes.get(i).inputs()));
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < inputs.count(i); k++) {
                if (inputs.get(i, k) >= i) {
                    throw new InvalidGraphException(CycleFinder.explain(inputs, i, inputs.get(i, k), this::name));
                }
            }
        }
        int[] readers = new int[count]; // one more than the last node that each node is known to be an input of
        graph.setReferences(
                inputs,
                CsrAdjacency.of(count, i -> inPlaceInputs(i, inputs, readers)),
                CsrAdjacency.of(count, this::controlDependencies));
    }

    private int[] positions(int i, List<NodeId> inputs) {
        int[] found = new int[inputs.size()];
        for (int k = 0; k < found.length; k++) {
            Integer position = positions.get(inputs.get(k));
            if (position == null) {
                throw fault(i, "expected inputs that are nodes of the graph, got " + inputs.get(k) + "; add it");
            }
            found[k] = position;
        }
        return found;
    }

    private int[] inPlaceInputs(int i, CsrAdjacency inputs, int[] readers) {
        List<NodeId> taken = nodes.get(i).inPlaceInputs();
        for (int k = 0; k < inputs.count(i) && !taken.isEmpty(); k++) {
            readers[inputs.get(i, k)] = i + 1;
        }
        int[] found = new int[taken.size()];
        for (int k = 0; k < found.length; k++) {
            Integer position = positions.get(taken.get(k));
            if (position == null || readers[position] != i + 1) {
                throw fault(
                        i,
                        "expected to take the slot of one of its inputs, got "
                                + (position == null ? missing(taken.get(k)) : name(position)));
            }
            found[k] = position;
        }
        return found;
    }

    private int[] controlDependencies(int i) {
        List<NodeId> earlier = nodes.get(i).controlDependencies();
        int[] found = new int[earlier.size()];
        for (int k = 0; k < found.length; k++) {
            Integer position = positions.get(earlier.get(k));
            if (position == null || position >= i) {
                throw fault(
                        i,
                        "expected control dependencies on earlier nodes, got "
                                + (position == null
                                        ? missing(earlier.get(k))
                                        : name(position) + " of position " + position + " at position " + i));
            }
            found[k] = position;
        }
        return found;
    }

    private static String missing(NodeId id) {
        return id + ", which is not in the graph";
    }

    private void checkConcatenation(int i) {
        if (!graph.isConcatenation(i)) {
            return;
        }
        long joined = 0;
        for (int k = 0; k < graph.inputCount(i); k++) {
            int input = graph.input(i, k);
            if (graph.dtype(input) != graph.dtype(i)) {
                throw fault(
                        i,
                        "expected a concatenation of inputs of its own dtype "
                                + graph.dtype(i).label() + ", got " + name(input) + " of "
                                + graph.dtype(input).label());
            }
            joined += Math.min(graph.elements(input), Long.MAX_VALUE - joined);
        }
        if (joined != graph.elements(i)) {
            throw fault(
                    i,
                    "expected a concatenation of inputs of " + graph.elements(i) + " elements in all, got " + joined);
        }
    }

    private void resolveView(int i) {
        nodes.get(i).view().ifPresent(view -> resolveView(i, view));
    }

    private void resolveView(int i, ViewOf view) {
        Integer parent = positions.get(view.parent());
        if (parent == null || parent >= i) {
            throw fault(
                    i,
                    "expected a view of an earlier node, got "
                            + (parent == null ? missing(view.parent()) : name(parent)));
        }
        if (graph.isFused(i) || graph.isFused(parent)) {
            throw fault(
                    i,
                    "expected a view and what it shows to be in memory, got " + name(graph.isFused(i) ? i : parent)
                            + " fused away");
        }
        if (graph.dtype(i) != graph.dtype(parent)) {
            throw fault(
                    i,
                    "expected a view of its own dtype " + graph.dtype(i).label() + ", got " + name(parent) + " of "
                            + graph.dtype(parent).label() + "; a cast to another type is an op, not a view");
        }
        long elements = graph.elements(i);
        if (elements > graph.elements(parent) || view.firstElement() > graph.elements(parent) - elements) {
            throw fault(
                    i,
                    "expected a view within the " + graph.elements(parent) + " elements of " + name(parent) + ", got "
                            + elements + " from element " + view.firstElement());
        }
        graph.setView(i, parent, view.firstElement());
        if (graph.isPersistent(i) && !graph.isPersistent(graph.root(i))) {
            throw fault(
                    i,
                    "expected an input, parameter or constant to be a view of another such value, got a view of "
                            + name(graph.root(i)) + ", which an op makes");
        }
    }

    private void readOutputs(Collection<NodeId> outputs) {
        for (NodeId output : outputs) {
            Integer position = positions.get(output);
            if (position == null) {
                throw new InvalidGraphException(
                        "outputs: expected nodes of the graph, got " + output + ", which is not in it");
            }
            if (graph.isFused(position)) {
                throw new InvalidGraphException(
                        "outputs: expected values in memory, got " + name(position) + ", which is fused away");
            }
            graph.setOutput(position);
        }
    }
}
