package io.devicearena.plan.validation;

import io.devicearena.NodeId;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The validator's own reading of a graph: references resolved, order and declarations checked. */
final class CheckedGraph {
    private final Map<NodeId, GraphValue> byId = new HashMap<>();
    private final List<GraphValue> values = new ArrayList<>();

    private CheckedGraph() {}

    /**
     * Reads nodes in an order of execution.
     *
     * @throws InvalidGraphException if they are no graph that can be executed in this order
     */
    static List<GraphValue> read(List<? extends PlanNode> nodes, Collection<NodeId> outputs, PlanOptions options) {
        CheckedGraph graph = new CheckedGraph();
        int step = 0;
        for (PlanNode node : nodes) {
            GraphValue value = new GraphValue(node, graph.values.size(), step, options.elementBytes(node.dtype()));
            graph.add(value, node);
            step += value.isMadeInMemory() ? 1 : 0;
        }
        for (NodeId output : outputs) {
            GraphValue value = graph.byId.get(output);
            if (value == null || value.fused) {
                throw new InvalidGraphException("outputs: expected values of the graph in memory, got "
                        + (value == null ? output : value.name));
            }
            value.output = true;
        }
        return graph.values;
    }

    private void add(GraphValue value, PlanNode node) {
        require(!byId.containsKey(value.id), value, "expected a unique id, got it twice");
        require(value.elements >= 0, value, "expected 0 or more elements, got " + value.elements);
        require(!value.fused || node.role() == NodeRole.OP, value, "expected only an op to be fused");
        for (NodeId input : node.inputs()) {
            value.inputs.add(earlier(input, value, "to read"));
        }
        Set<GraphValue> inputs = node.inPlaceInputs().isEmpty() ? Set.of() : new HashSet<>(value.inputs);
        for (NodeId taken : node.inPlaceInputs()) {
            GraphValue input = earlier(taken, value, "to take the slot of");
            require(inputs.contains(input), value, "expected to take the slot of an input, got " + input.name);
            value.inPlaceInputs.add(input);
        }
        node.controlDependencies().forEach(before -> earlier(before, value, "to run after"));
        node.view().ifPresent(view -> resolve(value, view));
        if (!value.fused && !value.isView()) {
            long most = Long.MAX_VALUE / value.elementBytes;
            require(value.elements <= most, value, "expected at most " + most + " elements, got " + value.elements);
        }
        if (node.isConcatenation() && value.isMadeInMemory()) {
            checkConcatenation(value);
        }
        byId.put(value.id, value);
        values.add(value);
    }

    private GraphValue earlier(NodeId id, GraphValue value, String what) {
        GraphValue found = byId.get(id);
        if (found == null) {
            throw new InvalidGraphException(value.name + ": expected " + what + " values of earlier nodes, got " + id);
        }
        return found;
    }

    private void resolve(GraphValue value, ViewOf view) {
        GraphValue parent = earlier(view.parent(), value, "to show");
        require(!value.fused && !parent.fused, value, "expected a view of memory in memory, got a fused op");
        require(value.dtype == parent.dtype, value, "expected a view of its own dtype, got " + parent.dtype.label());
        require(
                value.elements <= parent.elements && view.firstElement() <= parent.elements - value.elements,
                value,
                "expected a view within " + parent.name);
        require(
                !value.persistent || parent.root.persistent,
                value,
                "expected a view of a value that the host writes, got " + parent.name);
        value.root = parent.root;
        value.firstElement = parent.firstElement + view.firstElement();
    }

    private static void checkConcatenation(GraphValue value) {
        long elements = 0;
        for (GraphValue input : value.inputs) {
            require(input.dtype == value.dtype, value, "expected inputs of its own dtype, got " + input.name);
            elements += Math.min(input.elements, Long.MAX_VALUE - elements);
        }
        require(elements == value.elements, value, "expected inputs of as many elements in all, got " + elements);
    }

    private static void require(boolean condition, GraphValue value, String problem) {
        if (!condition) {
            throw new InvalidGraphException(value.name + ": " + problem);
        }
    }
}
