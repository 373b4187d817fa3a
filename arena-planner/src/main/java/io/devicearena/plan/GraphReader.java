package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CycleFinder;
import io.devicearena.plan.internal.graph.NodeLists;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

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
        int count = reader.nodes.size();
        for (int i = 0; i < count; i++) {
            reader.readNode(i, reader.nodes.get(i));
        }
        reader.readReferences();
        for (int i = 0; i < count; i++) {
            int value = i;
            reader.nodes.get(i).view().ifPresent(view -> reader.resolveView(value, view));
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

    private String name(NodeId id) {
        Integer position = positions.get(id);
        return position == null ? id + ", which is not in the graph" : name(position);
    }

    private void require(boolean condition, int i, Supplier<String> problem) {
        if (!condition) {
            throw fault(i, problem.get());
        }
    }

    private InvalidGraphException fault(int i, String problem) {
        return new InvalidGraphException(name(i) + ": " + problem);
    }

    private void readNode(int i, PlanNode node) {
        NodeId id = Objects.requireNonNull(node.id(), "node id");
        Integer first = positions.putIfAbsent(id, i);
        require(
                first == null,
                i,
                () -> "expected a unique id, got that of position " + first + " again at position " + i);
        require(node.elements() >= 0, i, () -> "expected 0 or more elements, got " + node.elements());
        NodeRole role = Objects.requireNonNull(node.role(), "node role");
        boolean fused = node.isFused();
        require(!fused || role == NodeRole.OP, i, () -> "expected only an op to be fused, got role " + role);
        DType dtype = Objects.requireNonNull(node.dtype(), "node dtype");
        graph.set(i, new ArrayGraph.Value(id, kind(role), dtype, node.elements(), fused, node.isConcatenation()));
        if (role == NodeRole.OUTPUT) {
            graph.setOutput(i);
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
        int[][] inputs = NodeLists.of(count, this::inputs);
        for (int i = 0; i < count; i++) {
            for (int input : inputs[i]) {
                if (input >= i) {
                    throw new InvalidGraphException(CycleFinder.explain(inputs, i, input, this::name));
                }
            }
        }
        graph.setReferences(
                inputs, NodeLists.of(count, this::inPlaceInputs), NodeLists.of(count, this::controlDependencies));
    }

    private int[] inputs(int i) {
        return positions(
                nodes.get(i).inputs(),
                position -> true,
                id -> fault(i, "expected inputs that are nodes of the graph, got " + id + "; add it"));
    }

    private int[] inPlaceInputs(int i) {
        List<NodeId> taken = nodes.get(i).inPlaceInputs();
        Set<NodeId> inputs =
                taken.isEmpty() ? Set.of() : new HashSet<>(nodes.get(i).inputs());
        return positions(
                taken,
                position -> inputs.contains(graph.id(position)),
                id -> fault(i, "expected to take the slot of one of its inputs, got " + name(id)));
    }

    private int[] controlDependencies(int i) {
        return positions(nodes.get(i).controlDependencies(), position -> position < i, id -> {
            Integer position = positions.get(id);
            String where = position == null ? "" : " of position " + position + " at position " + i;
            return fault(i, "expected control dependencies on earlier nodes, got " + name(id) + where);
        });
    }

    private int[] positions(List<NodeId> ids, IntPredicate isAllowed, Function<NodeId, InvalidGraphException> fault) {
        return ids.stream()
                .mapToInt(id -> {
                    Integer position = positions.get(id);
                    if (position == null || !isAllowed.test(position)) {
                        throw fault.apply(id);
                    }
                    return position;
                })
                .toArray();
    }

    private void checkConcatenation(int i) {
        if (!graph.isConcatenation(i)) {
            return;
        }
        long elements = 0;
        for (int input : graph.inputs(i)) {
            require(
                    graph.dtype(input) == graph.dtype(i),
                    i,
                    () -> "expected a concatenation of inputs of its own dtype "
                            + graph.dtype(i).label() + ", got " + name(input) + " of "
                            + graph.dtype(input).label());
            elements += Math.min(graph.elements(input), Long.MAX_VALUE - elements);
        }
        if (elements != graph.elements(i)) {
            throw fault(
                    i,
                    "expected a concatenation of inputs of " + graph.elements(i) + " elements in all, got " + elements);
        }
    }

    private void resolveView(int i, ViewOf view) {
        Integer parent = positions.get(view.parent());
        if (parent == null || parent >= i) {
            throw fault(i, "expected a view of an earlier node, got " + name(view.parent()));
        }
        require(
                !graph.isFused(i) && !graph.isFused(parent),
                i,
                () -> "expected a view and what it shows to be in memory, got " + name(graph.isFused(i) ? i : parent)
                        + " fused away");
        require(
                graph.dtype(i) == graph.dtype(parent),
                i,
                () -> "expected a view of its own dtype " + graph.dtype(i).label() + ", got " + name(parent) + " of "
                        + graph.dtype(parent).label() + "; a cast to another type is an op, not a view");
        long left = graph.elements(parent) - graph.elements(i);
        require(
                left >= 0 && view.firstElement() <= left,
                i,
                () -> "expected a view within the " + graph.elements(parent) + " elements of " + name(parent) + ", got "
                        + graph.elements(i) + " from element " + view.firstElement());
        graph.setView(i, parent, view.firstElement());
        int root = graph.root(i);
        require(
                !graph.isPersistent(i) || graph.isPersistent(root),
                i,
                () -> "expected an input, parameter or constant to be a view of another such value, got a view of "
                        + name(root) + ", which an op makes");
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
