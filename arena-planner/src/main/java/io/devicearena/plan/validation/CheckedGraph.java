package io.devicearena.plan.validation;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanGraph;
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
    final List<GraphValue> values = new ArrayList<>(); // in the order of execution
    private final Collection<NodeId> outputs;
    private final PlanOptions options;

    /** Reads a graph that can be executed in the order of its nodes. */
    CheckedGraph(PlanGraph graph, PlanOptions options) {
        this(List.copyOf(graph.nodes()), graph.outputs(), options);
    }

    private CheckedGraph(List<PlanNode> nodes, Collection<NodeId> outputs, PlanOptions options) {
        this.outputs = outputs;
        this.options = options;
        int step = 0;
        for (PlanNode node : nodes) {
            GraphValue value = new GraphValue(node, values.size(), step, options);
            add(value);
            step += value.isMadeInMemory() || value.update ? 1 : 0;
        }
        for (NodeId output : outputs) {
            GraphValue value = byId.get(output);
            if (value == null || value.fused) {
                throw new InvalidGraphException("outputs: expected values of the graph in memory, got "
                        + (value == null ? output : value.name));
            }
            value.output = true;
        }
    }

    /** Whether an op of the graph makes a value. */
    boolean makes(NodeId id) {
        GraphValue value = byId.get(id);
        return value != null && !value.persistent;
    }

    /** Whether the graph has a value of another graph: of the same type and as many elements. */
    boolean has(GraphValue other) {
        GraphValue value = byId.get(other.id);
        return value != null && value.dtype == other.dtype && value.elements == other.elements;
    }

    /** The same graph in the order of a schedule, in which all of its nodes must be able to run. */
    CheckedGraph inOrder(List<NodeId> schedule) {
        if (schedule.equals(values.stream().map(value -> value.id).toList())) {
            return this;
        }
        List<PlanNode> ordered = new ArrayList<>();
        for (NodeId id : schedule) {
            GraphValue value = byId.get(id);
            if (value == null) {
                throw new InvalidPlanException("schedule: expected nodes of the graph, got " + id);
            }
            ordered.add(value.node);
        }
        if (ordered.size() < values.size()) {
            throw new InvalidPlanException(
                    "schedule: expected all " + values.size() + " nodes of the graph, got " + ordered.size());
        }
        try {
            return new CheckedGraph(ordered, outputs, options);
        } catch (InvalidGraphException e) {
            throw new InvalidPlanException("schedule: expected an order in which the graph can run; " + e.getMessage());
        }
    }

    private void add(GraphValue value) {
        PlanNode node = value.node;
        require(!byId.containsKey(value.id), value, "expected a unique id, got it twice");
        require(value.elements >= 0, value, "expected 0 or more elements, got " + value.elements);
        require(!value.fused || node.role() == NodeRole.OP, value, "expected only an op to be fused");
        node.inputs().forEach(input -> value.inputs.add(earlier(input, value, "to read")));
        Set<GraphValue> inputs = node.inPlaceInputs().isEmpty() ? Set.of() : new HashSet<>(value.inputs);
        for (NodeId taken : node.inPlaceInputs()) {
            GraphValue input = earlier(taken, value, "to take the slot of");
            require(inputs.contains(input), value, "expected to take the slot of an input, got " + input.name);
            value.inPlaceInputs.add(input);
        }
        node.controlDependencies().forEach(before -> earlier(before, value, "to run after"));
        node.view().ifPresent(view -> resolve(value, view));
        node.updates().ifPresent(updated -> resolveUpdate(value, updated));
        if (!value.fused && !value.isView()) {
            long most = Long.MAX_VALUE / options.elementBytes(value.dtype);
            require(value.elements <= most, value, "expected at most " + most + " elements, got " + value.elements);
        }
        if (value.concatenation) {
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
        boolean isInside = value.elements <= parent.elements && view.firstElement() <= parent.elements - value.elements;
        require(isInside, value, "expected a view within " + parent.name);
        boolean isWrittenLikeItsParent = !value.persistent || parent.root.persistent;
        require(isWrittenLikeItsParent, value, "expected a view of a value that the host writes, got " + parent.name);
        value.root = parent.root;
        value.maker = parent.maker;
        value.firstElement = parent.firstElement + view.firstElement();
    }

    private void resolveUpdate(GraphValue value, NodeId updated) {
        GraphValue old = earlier(updated, value, "to update");
        GraphValue state = old.root;
        require(state.node.role() == NodeRole.STATE && !old.isView(), value, "expected to update a state");
        boolean isOp = !value.persistent && !value.fused && !value.isView() && !value.concatenation;
        require(isOp, value, "expected an op in memory to update " + state.name);
        boolean sameBytes = value.dtype == old.dtype && value.elements == old.elements;
        require(sameBytes, value, "expected the type and the elements of " + state.name);
        require(state.latest == old, value, "expected to update " + state.latest.name + ", got " + old.name);
        value.root = state;
        value.update = true;
        state.latest = value;
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
